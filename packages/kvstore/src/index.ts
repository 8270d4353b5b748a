export { isKvstoreError, KvstoreError, type KvstoreErrorCode } from './errors.ts';
export {
  compact,
  deleteKey,
  deletePrefix,
  get,
  getPrefix,
  put,
  type Entry,
  type Range,
  type RangeOptions,
  type ReadOptions,
  type Text,
} from './kv.ts';
export { connect, Kvstore, type CallOptions, type ConnectOptions } from './kvstore.ts';
export { status, type MemberStatus } from './status.ts';
export type { KvstoreTls } from './tls.ts';

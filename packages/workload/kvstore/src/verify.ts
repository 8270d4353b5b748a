/** Snapshots as files, without etcd: what a client needs to keep one and to prove one. Nothing of gRPC is loaded. */
export { isKvstoreError, KvstoreError, type KvstoreErrorCode } from './errors.ts';
export { type SnapshotInfo, type SnapshotStatus } from './snapshot/info.ts';
export { type SnapshotProgress } from './snapshot/progress.ts';
export {
  receiveSnapshot,
  type ReceiveSnapshotOptions,
  type WriteSnapshotOptions,
} from './snapshot/receive.ts';
export {
  receiveSnapshotCall,
  type ReceiveSnapshotCallOptions,
  type SnapshotCall,
  type SnapshotCallAnswer,
} from './snapshot/receive-call.ts';
export {
  type CheckSnapshotOptions,
  snapshotStatus,
  verifySnapshot,
  type VerifySnapshotOptions,
} from './snapshot/verify.ts';

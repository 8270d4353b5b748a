import { EventType, type KeyValue, Watch } from '../gen/etcdserverpb.js';
import { KvstoreError } from './errors.ts';
import { bytesOf, type Entry, entryOf, prefixOf, type Text } from './kv.ts';
import type { Kvstore } from './kvstore.ts';

/** One change of a key. */
export type KeyEvent = {
  readonly type: 'put' | 'delete';
  /** As it is now; of a deletion the key and the revision alone. */
  readonly entry: Entry;
  /** As it was before; undefined when there was none, or when it is compacted. */
  readonly previous: Entry | undefined;
};

export type WatchOptions = {
  /** The first revision whose changes are wanted; those to come unless given. */
  readonly revision?: bigint | undefined;
  /** Ends the watch: the iterator rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Changes of one key or of all that begin so, in the order of their revisions. All changes of one revision are in one
 * batch. A slow reader slows down the stream alone: the member keeps nothing for it but its place in the history.
 *
 * @throws {KvstoreError} from the iterator: `ERR_KVSTORE_COMPACTED` when the changes are not known any more;
 *   `ERR_KVSTORE_UNREACHABLE` and others when the stream breaks, without trying again.
 */
export async function* watch(
  kvstore: Kvstore,
  keys: { readonly key: Text } | { readonly prefix: Text },
  options: WatchOptions = {},
): AsyncGenerator<readonly KeyEvent[], void, undefined> {
  const { revision, signal } = options;
  const range = 'key' in keys ? { key: bytesOf(keys.key) } : prefixOf(keys.prefix);
  const createRequest = { ...range, startRevision: revision, prevKv: true };
  const stream = kvstore.stream(Watch.watch, { createRequest }, { signal, needsLeader: true });
  for await (const { canceled, compactRevision, cancelReason, events } of stream) {
    if (compactRevision > 0n) {
      const message = `changes before ${compactRevision} are compacted`;
      throw new KvstoreError('ERR_KVSTORE_COMPACTED', 'watch', message);
    }
    if (canceled) throw new KvstoreError('ERR_KVSTORE_FAILED', 'watch', cancelReason);
    if (events.length === 0) continue;
    yield events.map(({ type, kv, prevKv }) => ({
      type: type === EventType.DELETE ? 'delete' : 'put',
      entry: entryOf(kv ?? none),
      previous: prevKv === undefined ? undefined : entryOf(prevKv),
    }));
  }
  throw new KvstoreError('ERR_KVSTORE_UNREACHABLE', 'watch', 'the member ended the stream');
}

const none: KeyValue = {
  key: new Uint8Array(),
  value: new Uint8Array(),
  createRevision: 0n,
  modRevision: 0n,
  version: 0n,
  lease: 0n,
};

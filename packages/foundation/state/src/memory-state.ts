import { BaseState } from './base-state.ts';
import { checkKey, checkKind } from './checks.ts';
import type { Operation } from './operation.ts';
import { matches, type Query } from './query.ts';
import type { Key, Kind, Resource } from './resource.ts';
import { covered, firstBatch, firstOfKey, seenThrough } from './seen.ts';
import { StateError } from './state-error.ts';
import type { Committed, Listing, StateEvent, WatchRequest } from './state.ts';
import { Store } from './store.ts';

/**
 * A state in the memory of this process, gone with it. What the synchronous face of the store writes is seen here and
 * the other way round: both have the same resources and revisions.
 *
 * Each kind remembers its last changes, 1024 unless the store was made with another number; a watch that is further
 * behind ends with `ERR_STATE_OVERRUN`.
 *
 * @example
 * await using state = memoryState();
 * const disk = { namespace: 'runtime', type: 'Disks.block.nodecore.dev', id: 'sda' };
 * await state.create(disk, { sizeBytes: 1024n }, { owner: 'discovery' });
 */
export function memoryState(store: Store = new Store()): MemoryState {
  return new MemoryState(store);
}

/** Made by {@link memoryState}. */
export class MemoryState extends BaseState {
  /** The same resources, synchronously. */
  readonly store: Store;

  constructor(store: Store) {
    super();
    this.store = store;
  }

  async get(key: Key, signal?: AbortSignal): Promise<Resource | undefined> {
    signal?.throwIfAborted();
    checkKey(key);
    return this.store.get(key);
  }

  async list(kind: Kind, query: Query = {}, signal?: AbortSignal): Promise<Listing> {
    signal?.throwIfAborted();
    checkKind(kind);
    const { resources, bookmark } = this.store.list(kind);
    return {
      resources: resources.filter(({ metadata }) => matches(query, metadata)),
      revision: bookmark.revision,
    };
  }

  async *watch(
    request: WatchRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly StateEvent[], void, undefined> {
    const { store } = this;
    const { kind, id, query } = covered(request);
    const after = { epoch: store.epoch, revision: request.from ?? store.revision };
    if (after.revision > store.revision) {
      throw new StateError('ERR_STATE_FUTURE', kind.type, `revision ${after.revision} has not come yet`);
    }
    if (store.isForgotten(kind, after.revision)) {
      throw new StateError('ERR_STATE_COMPACTED', kind.type, `changes after ${after.revision} are forgotten`);
    }
    // Before anything is awaited: no change can fall between the first batch and those that follow.
    const following = store.watch(kind, {
      after,
      ...(id !== undefined && { id }),
      ...(signal && { signal }),
    });
    if (request.from === undefined) {
      if (signal?.aborted === true) return;
      yield this.#first(request, after.revision);
    }
    for await (const batch of following) {
      const seen: StateEvent[] = [];
      for (const event of batch) {
        if (event.type === 'errored') throw new StateError('ERR_STATE_OVERRUN', kind.type, event.error);
        if (event.type === 'bootstrapped') continue;
        const change = seenThrough(query, event);
        if (change !== undefined) seen.push(change);
      }
      if (seen.length > 0) yield seen;
    }
  }

  protected async commit(operations: readonly Operation[]): Promise<Committed> {
    return this.store.transaction(operations);
  }

  /** Resources stay: the store may have other users. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #first(request: WatchRequest, revision: number): readonly StateEvent[] {
    if ('key' in request) return firstOfKey(request.key, this.store.get(request.key), revision);
    const { kind, query = {}, bootstrap = false } = request;
    return firstBatch(bootstrap ? this.store.list(kind).resources : [], query, revision);
  }
}

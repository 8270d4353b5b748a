import { type Entry, getPrefix, type Kvstore, transact, type Write } from '@nodecore/kvstore';
import {
  BaseState,
  byId,
  checkKey,
  checkKind,
  type Committed,
  decide,
  type Key,
  type Kind,
  type Listing,
  matches,
  type Operation,
  type Query,
  type Resource,
  type State,
  StateError,
  type StateEvent,
  type WatchRequest,
} from '@nodecore/state';
import { type Clock, systemClock } from '@nodecore/waiting';

import { readError, writeError } from './errors.ts';
import { Layout, valueOf } from './resource-entry.ts';
import { watchEtcd } from './watch.ts';

export type EtcdStateOptions = {
  /** What all keys begin with, `nodecore/state` unless given: two states with different ones do not meet. */
  readonly prefix?: string;
  /** Operations of one transaction, 128 unless given; not more than the members' `--max-txn-ops`. */
  readonly maxOperations?: number;
  /** Bytes of one transaction, 1.5 MiB unless given; not more than the members' `--max-request-bytes`. */
  readonly maxBytes?: number;
  readonly clock?: Clock;
};

/** Resources that are asked for at once: a member sends 4 MiB at most to some clients. */
const pageSize = 500;

/**
 * A state in an etcd cluster, shared by all that use the same prefix. Its global revision is etcd's. How far back watches
 * can begin depends on the compactions of the cluster.
 *
 * The connection stays the caller's: the state ends before it.
 *
 * @example
 * await using kvstore = await connect({ endpoints: ['https://10.0.0.5:2379'], tls });
 * await using state = etcdState(kvstore);
 * await state.create({ namespace: 'default', type: 'Clusters.fleet.nodecore.dev', id: 'one' }, { size: 3 });
 */
export function etcdState(kvstore: Kvstore, options: EtcdStateOptions = {}): State {
  return new EtcdState(kvstore, options);
}

class EtcdState extends BaseState {
  readonly #kvstore: Kvstore;
  readonly #layout: Layout;
  readonly #limits: { readonly operations: number; readonly bytes: number };
  readonly #clock: Clock;
  readonly #ending = new AbortController();

  constructor(kvstore: Kvstore, options: EtcdStateOptions) {
    super();
    const { prefix = 'nodecore/state', maxOperations = 128, maxBytes = 1.5 * 1024 * 1024 } = options;
    this.#kvstore = kvstore;
    this.#layout = new Layout(prefix);
    this.#limits = { operations: maxOperations, bytes: maxBytes };
    this.#clock = options.clock ?? systemClock;
  }

  async get(key: Key, signal?: AbortSignal): Promise<Resource | undefined> {
    signal?.throwIfAborted();
    checkKey(key);
    const { entries } = await this.#read([key], signal);
    return this.#resourceOf(key, entries[0]);
  }

  async list(kind: Kind, query: Query = {}, signal?: AbortSignal): Promise<Listing> {
    signal?.throwIfAborted();
    checkKind(kind);
    this.#assertOpen();
    for (;;) {
      try {
        return await this.#listOnce(kind, query, signal);
      } catch (error) {
        // Compacted between two pages: those that are left can't be read any more.
        if (!(error instanceof StateError && error.code === 'ERR_STATE_COMPACTED')) throw error;
      }
    }
  }

  async *watch(
    request: WatchRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly StateEvent[], void, undefined> {
    this.#assertOpen();
    const ended = signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]);
    const source = { kvstore: this.#kvstore, layout: this.#layout, state: this, read: this.#read.bind(this) };
    try {
      yield* watchEtcd(source, request, ended);
    } catch (error) {
      if (ended.aborted) return;
      throw error;
    }
  }

  /** Ends all watches. The connection stays. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    return Promise.resolve();
  }

  protected async commit(operations: readonly Operation[], signal?: AbortSignal): Promise<Committed> {
    this.#assertOpen();
    const { operations: most } = this.#limits;
    if (operations.length > most) throw tooMuch(`${operations.length} operations of at most ${most}`);
    const keys = operations.map(({ key }) => key);
    // What is to be created is not there, as a rule: it is looked for only when that was wrong.
    let known = operations.every(({ op }) => op === 'create')
      ? { entries: keys.map(() => undefined), revision: 0n }
      : await this.#read(keys, signal);
    for (;;) {
      const nowMs = this.#clock.now();
      const steps = operations.map((operation, index) =>
        decide(this.#resourceOf(operation.key, known.entries[index]), operation, nowMs),
      );
      const resources = steps.map(({ resource }) => resource);
      const writes = steps.flatMap(({ type, resource }): Write[] => {
        if (type === 'unchanged') return [];
        const key = this.#layout.of(resource.metadata);
        return [type === 'destroyed' ? { key } : { key, value: valueOf(resource) }];
      });
      if (writes.length === 0) return { revision: Number(known.revision), resources };
      const result = await this.#write(keys, known.entries, writes, signal);
      if (result.succeeded) return { revision: Number(result.revision), resources };
      known = result; // somebody else was faster: decided again with what is there now
    }
  }

  async #write(
    keys: readonly Key[],
    entries: readonly (Entry | undefined)[],
    writes: readonly Write[],
    signal: AbortSignal | undefined,
  ): ReturnType<typeof transact> {
    const names = keys.map((key) => this.#layout.of(key));
    const bytes = writes.reduce((sum, { key, value = '' }) => sum + key.length + Buffer.byteLength(value), 0);
    if (bytes > this.#limits.bytes) throw tooMuch(`${bytes} bytes of at most ${this.#limits.bytes}`);
    const conditions = names.map((key, index) => ({ key, modRevision: entries[index]?.modRevision ?? 0n }));
    try {
      return await transact(this.#kvstore, { conditions, writes, reads: names }, { signal });
    } catch (error) {
      throw writeError(keys[0]?.type ?? 'transaction', error);
    }
  }

  async #read(keys: readonly Key[], signal: AbortSignal | undefined): ReturnType<typeof transact> {
    this.#assertOpen();
    try {
      // Without a key etcd would answer at once, perhaps of the past.
      const reads = keys.length === 0 ? [this.#layout.root] : keys.map((key) => this.#layout.of(key));
      return await transact(this.#kvstore, { reads }, { signal });
    } catch (error) {
      throw readError(keys[0]?.type ?? 'transaction', error);
    }
  }

  async #listOnce(kind: Kind, query: Query, signal: AbortSignal | undefined): Promise<Listing> {
    const prefix = this.#layout.ofKind(kind);
    const resources: Resource[] = [];
    let revision: bigint | undefined;
    let from: Uint8Array | undefined;
    for (;;) {
      try {
        const page = await getPrefix(this.#kvstore, prefix, { limit: pageSize, revision, from, signal });
        revision ??= page.revision;
        for (const entry of page.entries) {
          const resource = this.#layout.resourceOf(kind, entry);
          if (matches(query, resource.metadata)) resources.push(resource);
        }
        const last = page.entries.at(-1);
        if (last === undefined || page.entries.length < pageSize) {
          return { resources: resources.sort(byId), revision: Number(revision) };
        }
        from = Buffer.concat([last.key, Buffer.alloc(1)]); // the smallest key behind it
      } catch (error) {
        throw readError(kind.type, error);
      }
    }
  }

  #resourceOf(key: Key, entry: Entry | undefined): Resource | undefined {
    return entry === undefined ? undefined : this.#layout.resourceOf(key, entry);
  }

  #assertOpen(): void {
    if (this.#ending.signal.aborted) throw new TypeError('state used after close');
  }
}

function tooMuch(message: string): StateError {
  return new StateError('ERR_STATE_LIMIT', 'transaction', message);
}

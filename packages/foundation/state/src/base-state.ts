import { checkedOperations } from './checks.ts';
import type { CreateOptions, GuardOptions, Operation, UpdateOptions } from './operation.ts';
import type { Query } from './query.ts';
import type { Json, Key, Kind, Resource } from './resource.ts';
import type { Committed, Listing, State, StateEvent, WatchRequest } from './state.ts';

/** What drivers share: every write is a transaction. */
export abstract class BaseState implements State {
  abstract get(key: Key, signal?: AbortSignal): Promise<Resource | undefined>;

  abstract list(kind: Kind, query?: Query, signal?: AbortSignal): Promise<Listing>;

  abstract watch(request: WatchRequest, signal?: AbortSignal): AsyncIterableIterator<readonly StateEvent[]>;

  abstract [Symbol.asyncDispose](): Promise<void>;

  /** Writes operations that have been checked and copied, all of them or none. */
  protected abstract commit(operations: readonly Operation[], signal?: AbortSignal): Promise<Committed>;

  async transaction(operations: readonly Operation[], signal?: AbortSignal): Promise<Committed> {
    signal?.throwIfAborted();
    return await this.commit(checkedOperations(operations), signal);
  }

  create(key: Key, spec: Json, options: CreateOptions = {}, signal?: AbortSignal): Promise<Resource> {
    return this.#one({ ...options, op: 'create', key, spec }, signal);
  }

  update(key: Key, spec: Json, options: UpdateOptions, signal?: AbortSignal): Promise<Resource> {
    return this.#one({ ...options, op: 'update', key, spec }, signal);
  }

  async teardown(key: Key, options: GuardOptions = {}, signal?: AbortSignal): Promise<boolean> {
    const { metadata } = await this.#one({ ...options, op: 'teardown', key }, signal);
    return metadata.finalizers.length === 0;
  }

  async destroy(key: Key, options: GuardOptions = {}, signal?: AbortSignal): Promise<void> {
    await this.#one({ ...options, op: 'destroy', key }, signal);
  }

  addFinalizers(key: Key, finalizers: readonly string[], signal?: AbortSignal): Promise<Resource> {
    return this.#one({ op: 'addFinalizers', key, finalizers }, signal);
  }

  removeFinalizers(key: Key, finalizers: readonly string[], signal?: AbortSignal): Promise<Resource> {
    return this.#one({ op: 'removeFinalizers', key, finalizers }, signal);
  }

  async #one(operation: Operation, signal: AbortSignal | undefined): Promise<Resource> {
    const { resources } = await this.transaction([operation], signal);
    return resources[0]!;
  }
}

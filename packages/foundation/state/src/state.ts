import type { Operation, UpdateOptions, CreateOptions, GuardOptions } from './operation.ts';
import type { Query } from './query.ts';
import type { Json, Key, Kind, Resource } from './resource.ts';

/** What a list found, and the revision that it shows: a watch from there misses nothing and repeats nothing. */
export type Listing = { readonly resources: readonly Resource[]; readonly revision: number };

/** What a transaction wrote. */
export type Committed = {
  /** The global revision of all its changes; that of before when nothing differed. */
  readonly revision: number;
  /** For each operation the resource as it is now; one that was destroyed as it was last. */
  readonly resources: readonly Resource[];
};

/** One change, or the marker that everything of before has been sent. */
export type StateEvent =
  | {
      /**
       * `created` and `destroyed` are seen through the query: a resource that begins to match is created for this watch,
       * one that stops to match is destroyed for it and shown as it is now.
       *
       * The first batch of a watch of one id that does not exist has `destroyed` with a tombstone: version 0, spec null.
       */
      readonly type: 'created' | 'updated' | 'destroyed';
      readonly resource: Resource;
      readonly revision: number;
    }
  /** Last event of the first batch of a watch without `from`: changes after this revision follow. */
  | { readonly type: 'bootstrapped'; readonly revision: number };

/** What a watch covers, and where it begins. */
export type WatchRequest = (
  | { readonly key: Key }
  | {
      readonly kind: Kind;
      readonly query?: Query;
      /** Send what exists first, as `created`, sorted by id. */
      readonly bootstrap?: boolean;
    }
) & {
  /** Only changes after this revision: no contents and no marker are sent. */
  readonly from?: number;
};

/**
 * Resources in one place, read and written by many: each write names the version, owner and phase that it expects, and
 * every change takes the next global revision.
 *
 * What is written is copied, and what is returned is never changed. A write that is rejected changed nothing, except with
 * `ERR_STATE_UNKNOWN`. A signal ends the wait; a write that was begun is not undone by it.
 *
 * All methods reject with {@link ResourceError} for what is wrong with one resource, and with {@link StateError} for
 * what is wrong with the store or the request.
 */
export interface State extends AsyncDisposable {
  /** @returns undefined when there is none. */
  get(key: Key, signal?: AbortSignal): Promise<Resource | undefined>;

  /** The resources of a kind that match, sorted by id, all of one revision. */
  list(kind: Kind, query?: Query, signal?: AbortSignal): Promise<Listing>;

  /** @throws {ResourceError} `ERR_RESOURCE_EXISTS`. */
  create(key: Key, spec: Json, options?: CreateOptions, signal?: AbortSignal): Promise<Resource>;

  /**
   * Replaces the spec, and labels and annotations where they are given. When nothing differs nothing is written, and the
   * version stays.
   *
   * @throws {ResourceError} `ERR_RESOURCE_NOT_FOUND`, `ERR_RESOURCE_VERSION`, `ERR_RESOURCE_OWNER`, `ERR_RESOURCE_PHASE`.
   */
  update(key: Key, spec: Json, options: UpdateOptions, signal?: AbortSignal): Promise<Resource>;

  /**
   * Says that the resource shall go; those who hold finalizers see it and let go. There is no way back. Twice is fine.
   *
   * @returns whether nobody holds it any more, so that it can be destroyed.
   */
  teardown(key: Key, options?: GuardOptions, signal?: AbortSignal): Promise<boolean>;

  /** @throws {ResourceError} `ERR_RESOURCE_FINALIZERS` while somebody holds it. */
  destroy(key: Key, options?: GuardOptions, signal?: AbortSignal): Promise<void>;

  /**
   * Keeps a resource from being destroyed. Anybody may, not its owner alone; a name that is there stays once.
   *
   * @throws {ResourceError} `ERR_RESOURCE_PHASE` when it is being torn down.
   */
  addFinalizers(key: Key, finalizers: readonly string[], signal?: AbortSignal): Promise<Resource>;

  /** Names that are not there are ignored. */
  removeFinalizers(key: Key, finalizers: readonly string[], signal?: AbortSignal): Promise<Resource>;

  /**
   * Several writes as one: all of them, or none. Watches see them under one revision and in one batch. Each key may be
   * named once.
   *
   * @throws {StateError} `ERR_STATE_LIMIT` when the driver can't write so many at once.
   */
  transaction(operations: readonly Operation[], signal?: AbortSignal): Promise<Committed>;

  /**
   * Changes as they happen, in batches, in the order of their revisions; all of one revision are in one batch.
   * The watch begins with the first read. A signal or `return()` ends it without an error.
   *
   * @throws {StateError} from the iterator: `ERR_STATE_COMPACTED` when the changes after `from` are not known any more,
   *   `ERR_STATE_FUTURE` when `from` has not come yet, `ERR_STATE_OVERRUN` when this reader was too slow. List or
   *   bootstrap again then. `ERR_STATE_UNAVAILABLE` when the connection is lost: watch again from the last revision.
   */
  watch(request: WatchRequest, signal?: AbortSignal): AsyncIterableIterator<readonly StateEvent[]>;
}

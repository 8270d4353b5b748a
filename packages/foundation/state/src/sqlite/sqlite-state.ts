import { type Clock, systemClock } from '@nodecore/waiting';

import { BaseState } from '../base-state.ts';
import { checkKey, checkKind } from '../checks.ts';
import type { Operation } from '../operation.ts';
import { matches, type Query } from '../query.ts';
import { byId, type Key, type Kind, type Resource } from '../resource.ts';
import { type Change, covered, firstBatch, firstOfKey, seenThrough } from '../seen.ts';
import type { Committed, Listing, StateEvent, WatchRequest } from '../state.ts';
import { Changes } from './changes.ts';
import { type Database, openDatabase } from './database.ts';
import { storeError } from './errors.ts';
import { ChangeLog } from './log.ts';
import { Pages } from './pages.ts';
import { revisionOf } from './reads.ts';
import { type SealingOptions, sealingOf } from './sealing.ts';
import { Writer } from './writer.ts';

export type SqliteStateOptions = {
  readonly clock?: Clock;
  /** Changes that watches can go back to, 100 000 unless given. */
  readonly maxLogRows?: number;
  /** How long they are kept, one hour unless given; looked at when something is written. */
  readonly maxLogAgeMs?: number;
  /** What is kept encrypted; nothing unless given. A file that was sealed once opens with its key alone. */
  readonly sealing?: SealingOptions;
};

/**
 * Opens or makes a state in one file, which this process has for itself. What was acknowledged is on the disk: it
 * survives the end of the process and of the machine.
 *
 * @param path of the file; two more beside it belong to it (`-wal`, `-shm`), and a lock.
 * @throws {StateError} `ERR_STATE_LOCKED` while another process has it, `ERR_STATE_NEWER`, `ERR_STATE_CORRUPT`,
 *   `ERR_STATE_KEY` when none of the keys is the file's.
 * @example
 * await using state = await sqliteState('/var/lib/fleet/state.db');
 * await state.create({ namespace: 'default', type: 'Clusters.fleet.nodecore.dev', id: 'one' }, { size: 3 });
 */
export async function sqliteState(path: string, options: SqliteStateOptions = {}): Promise<SqliteState> {
  const { clock = systemClock, maxLogRows = 100_000, maxLogAgeMs = 3_600_000, sealing } = options;
  const limits = { maxRows: maxLogRows, maxAgeMs: maxLogAgeMs };
  return new SqliteState(await openDatabase(path, limits, sealing && sealingOf(path, sealing)), clock);
}

/** Made by {@link sqliteState}. */
export class SqliteState extends BaseState {
  readonly #database: Database;
  readonly #writer: Writer;
  readonly #changes: Changes;
  readonly #pages: Pages;
  readonly #ending = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(database: Database, clock: Clock) {
    super();
    const revision = revisionOf(database.reader);
    this.#database = database;
    this.#pages = new Pages(database);
    this.#changes = new Changes(new ChangeLog(database.reader, database.rows), revision);
    const publish = (changes: readonly Change[]): void => this.#changes.publish(changes);
    this.#writer = new Writer(database.thread, revision, clock, publish);
  }

  async get(key: Key, signal?: AbortSignal): Promise<Resource | undefined> {
    signal?.throwIfAborted();
    checkKey(key);
    this.#assertOpen();
    return this.#pages.get(key);
  }

  async list(kind: Kind, query: Query = {}, signal?: AbortSignal): Promise<Listing> {
    signal?.throwIfAborted();
    checkKind(kind);
    this.#assertOpen();
    try {
      const { resources, revision } = await this.#pages.list(kind, signal);
      // The file may be ahead of what was told here, and a watch may go on from this revision.
      await this.#writer.reached(revision);
      return { resources: resources.filter(({ metadata }) => matches(query, metadata)).sort(byId), revision };
    } catch (error) {
      throw storeError(this.#database.path, error);
    }
  }

  async *watch(
    request: WatchRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly StateEvent[], void, undefined> {
    this.#assertOpen();
    const { kind, id, query } = covered(request);
    const ended = signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]);
    let place = request.from;
    if (place === undefined) {
      const { events, revision } = await this.#first(request, ended);
      if (ended.aborted) return;
      place = revision;
      yield events;
    } else this.#changes.check(kind, place);
    for (;;) {
      if (ended.aborted) return;
      const { changes, upTo } = this.#changes.after(kind, place);
      const isBehind = upTo > place;
      place = upTo;
      const seen = changes
        .filter(({ resource }) => id === undefined || resource.metadata.id === id)
        .map((change) => seenThrough(query, change))
        .filter((event) => event !== undefined);
      if (seen.length > 0) yield seen;
      else if (!isBehind) await this.#changes.next(kind, ended); // no commit can fall between
    }
  }

  /** Writes what waits, ends all watches and gives the file back. Twice is fine. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  protected async commit(operations: readonly Operation[], signal?: AbortSignal): Promise<Committed> {
    this.#assertOpen();
    return await this.#writer.write(operations, signal);
  }

  async #first(
    request: WatchRequest,
    signal: AbortSignal,
  ): Promise<{ readonly events: readonly StateEvent[]; readonly revision: number }> {
    if ('key' in request) {
      const { resource, revision } = this.#pages.getAt(request.key);
      await this.#writer.reached(revision);
      return { events: firstOfKey(request.key, resource, revision), revision };
    }
    const { kind, query = {}, bootstrap = false } = request;
    if (!bootstrap) {
      const revision = this.#writer.revision;
      return { events: firstBatch([], query, revision), revision };
    }
    const { resources, revision } = await this.list(kind, query, signal);
    return { events: firstBatch(resources, query, revision), revision };
  }

  async #close(): Promise<void> {
    this.#ending.abort();
    await this.#writer.drain();
    await this.#database.close();
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new TypeError('state used after close');
  }
}

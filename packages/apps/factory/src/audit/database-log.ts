import { randomUUID } from 'node:crypto';

import { codeOf } from '@nodecore/sys';
import { type Clock, systemClock, within } from '@nodecore/waiting';

import { auditClass } from '../postgres/migrations.ts';
import type { Postgres } from '../postgres/postgres.ts';
import type { AuditRecord } from './audit-log.ts';
import { pruneText, writeText, type WrittenRow } from './database-rows.ts';

export type DatabaseLogOptions = {
  /** How many days records are kept; 0 for ever. */
  readonly maxAgeDays: number;
};

/** How many records wait for a database that does not answer. */
const maxQueued = 4_096;
const maxRows = 256;
/** How long an answer waits for its record. */
const answerMs = 2_000;
const retryMs = 1_000;
/** How long what has become of an answer waits for others to be written with: nobody waits for it. */
const lingerMs = 50;
/** How long what is left may take when it is over. */
const endMs = 3_000;
const pruneMs = 3_600_000;
const pruneRows = 5_000;
const dayMs = 86_400_000;

/** A record from when its answer is about to go until nothing more is to be written of it. */
type Entry = {
  readonly number: number;
  readonly kept: PromiseWithResolvers<void>;
  isWritten: boolean;
};

/**
 * The record of all requests in a database that several factories share. A record is there before any of its answer goes, without its
 * duration, and gets that when all of it has gone: a factory that is killed has answered nobody of whom the log does not know. While the
 * database does not answer, records wait in memory and no answer waits for them; what is too much is counted, said, and told of in the
 * log itself.
 */
export class DatabaseLog implements AsyncDisposable {
  readonly #database: Pick<Postgres, 'query'>;
  readonly #options: DatabaseLogOptions;
  readonly #warn: (line: string) => void;
  readonly #clock: Clock;
  /** Of this start. Its records are numbered 1, 2, 3: one that is not there was lost, or taken away. */
  readonly #factory = randomUUID();
  #next = 1;
  /** What is to be written of each, in the order of their numbers but for what is written once more. */
  #queued = new Map<Entry, WrittenRow>();
  readonly #open = new Map<object, Entry>();
  readonly #closing = new AbortController();
  /** What is being written. */
  #batch: readonly (readonly [Entry, WrittenRow])[] = [];
  #draining: Promise<void> | undefined;
  #lingering: Promise<void> | undefined;
  #pruning: Promise<void> | undefined;
  #prunedAt = Number.NEGATIVE_INFINITY;
  #written = 0;
  #lost = 0;
  /** Records that the log does not know yet to be missing. */
  #gap = 0;
  #isFailing = false;
  #isOver = false;

  /** @param warn told when records may be lost, and when they are no longer. */
  constructor(
    database: Pick<Postgres, 'query'>,
    options: DatabaseLogOptions,
    warn: (line: string) => void,
    clock: Clock = systemClock,
  ) {
    this.#database = database;
    this.#options = options;
    this.#warn = warn;
    this.#clock = clock;
    this.#prune();
  }

  /** Records that the database has. */
  get written(): number {
    return this.#written;
  }

  /** Records that are nowhere. */
  get lost(): number {
    return this.#lost;
  }

  /** @param request by which {@link ended} will be told of the same. Resolves when it is in the database, or can not be now. */
  async answering(request: object, record: AuditRecord): Promise<void> {
    const entry = this.#enter({ ...record, duration: null });
    if (entry === undefined) return; // counted when it has ended
    this.#open.set(request, entry);
    if (this.#isFailing) return;
    const kept = await within(this.#clock, answerMs, entry.kept.promise);
    if (kept === undefined) this.#fails('the database does not answer');
  }

  ended(request: object, record: AuditRecord): void {
    const entry = this.#open.get(request);
    this.#open.delete(request);
    if (entry === undefined) {
      if (this.#enter(record) === undefined) this.#lose(1);
      return;
    }
    this.#queued.set(entry, { ...record, entry: entry.number });
    this.#lingering ??= this.#linger();
  }

  /** Writes what is left, or tries once, for seconds. Twice is fine. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#lingering;
    const ends = Promise.all([this.#draining, this.#pruning]);
    if ((await within(this.#clock, endMs, ends)) === undefined) this.#giveUp();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #enter(record: Omit<WrittenRow, 'entry'>): Entry | undefined {
    if (this.#queued.size >= maxQueued) return undefined;
    const entry = { number: this.#next++, kept: Promise.withResolvers<void>(), isWritten: false };
    this.#queued.set(entry, { ...record, entry: entry.number });
    this.#begin();
    return entry;
  }

  #begin(): void {
    if (this.#queued.size > 0) this.#draining ??= this.#drain();
  }

  async #linger(): Promise<void> {
    await this.#clock.sleep(lingerMs, this.#closing.signal).catch(() => {});
    this.#lingering = undefined;
    this.#begin();
  }

  async #drain(): Promise<void> {
    while (this.#queued.size > 0) {
      const batch = [...this.#queued].slice(0, maxRows);
      for (const [entry] of batch) this.#queued.delete(entry);
      this.#batch = batch;
      const isKept = await this.#write(batch);
      this.#batch = [];
      if (this.#isOver) return;
      for (const [entry] of batch) entry.kept.resolve();
      if (isKept) continue;
      // What has ended meanwhile is newer than what could not be written.
      this.#queued = new Map([...batch, ...this.#queued]);
      if (this.#closing.signal.aborted) return this.#giveUp();
      await this.#clock.sleep(retryMs, this.#closing.signal).catch(() => {});
    }
    this.#draining = undefined;
  }

  async #write(batch: readonly (readonly [Entry, WrittenRow])[]): Promise<boolean> {
    const rows = JSON.stringify(
      batch.map(([, row]) => row),
      asText,
    );
    const values = [auditClass, this.#factory, rows];
    try {
      // Twice is the same as once: a record is known by its factory and its number.
      await this.#database.query({ what: 'record', text: writeText, values, isRepeatable: true });
    } catch (error) {
      this.#fails(error instanceof Error ? error.message : 'it fails');
      return false;
    }
    for (const [entry] of batch) {
      if (!entry.isWritten) this.#written += 1;
      entry.isWritten = true;
    }
    this.#works();
    return true;
  }

  #fails(why: string): void {
    if (!this.#isFailing)
      this.#warn(`audit: ${why}: up to ${maxQueued} records wait, and more are lost, until it is better`);
    this.#isFailing = true;
  }

  #works(): void {
    if (this.#isFailing) this.#warn(`audit: written again; ${this.#gap} records were lost`);
    this.#isFailing = false;
    const lost = this.#gap;
    this.#gap = 0;
    if (lost > 0) this.#enter(gapRow(lost, new Date(this.#clock.now())));
    this.#prune();
  }

  #lose(count: number): void {
    this.#lost += count;
    this.#gap += count;
  }

  #giveUp(): void {
    this.#isOver = true;
    const all = new Set([...this.#batch.map(([entry]) => entry), ...this.#queued.keys()]);
    const left = [...all].filter(({ isWritten }) => !isWritten).length;
    this.#lose(left);
    this.#queued.clear();
    if (left > 0)
      this.#warn(`audit: ${left} records are lost: the database has not taken them until the end`);
  }

  /** Takes away what is too old, some at a time, now and then. */
  #prune(): void {
    const { maxAgeDays } = this.#options;
    const now = this.#clock.now();
    if (maxAgeDays === 0 || this.#pruning !== undefined || now - this.#prunedAt < pruneMs) return;
    this.#prunedAt = now;
    const values = [new Date(now - maxAgeDays * dayMs).toISOString(), pruneRows];
    const ask = async (): Promise<void> => {
      while (!this.#closing.signal.aborted) {
        const statement = { what: 'record', text: pruneText, values, isRepeatable: true };
        if ((await this.#database.query(statement)).count < pruneRows) break;
      }
    };
    this.#pruning = ask()
      .catch((error: unknown) =>
        this.#warn(`audit: old records are not removed: ${codeOf(error) ?? 'fails'}`),
      )
      .finally(() => (this.#pruning = undefined));
  }
}

/** A database takes no text that has U+0000 in it, or half of a character. */
function asText(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value;
}

/** What the log says of records that it does not have. */
function gapRow(lost: number, time: Date): Omit<WrittenRow, 'entry'> {
  const nobody = { request_id: '', username: '', client_ip: '', method: '', path: '' };
  return {
    ...nobody,
    time: time.toISOString(),
    status: 0,
    duration: 0,
    error: 'ERR_FACTORY_AUDIT_LOST',
    lost,
  };
}

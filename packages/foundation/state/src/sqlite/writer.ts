import type { StatementSync } from 'node:sqlite';

import type { Clock } from '@nodecore/waiting';

import { decide } from '../decide.ts';
import type { Operation } from '../operation.ts';
import type { Key, Resource } from '../resource.ts';
import type { Change } from '../seen.ts';
import { StateError } from '../state-error.ts';
import type { Committed } from '../state.ts';
import { type Database, revisionOf } from './database.ts';
import { isIoError, storeError } from './errors.ts';
import type { ChangeLog } from './log.ts';
import { fromRow, type ResourceRow, toColumns } from './rows.ts';

type Waiting = {
  readonly operations: readonly Operation[];
  readonly signal: AbortSignal | undefined;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (error: unknown) => void;
};

/** A commit takes what has come in this turn of the loop, up to these limits; the rest is for the next turn. */
const maxTransactions = 256;
const maxTurnMs = 2;

/** The one writer: transactions wait in a queue and are committed together, once per turn of the event loop. */
export class Writer {
  readonly #database: Database;
  readonly #log: ChangeLog;
  readonly #clock: Clock;
  readonly #publish: (changes: readonly Change[]) => void;
  readonly #select: StatementSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #count: StatementSync;
  #queue: Waiting[] = [];
  #scheduled: Promise<void> | undefined;
  #broken: unknown;
  #revision: number;

  /** @param publish is given what was committed, before the writers are told. */
  constructor(
    database: Database,
    log: ChangeLog,
    clock: Clock,
    publish: (changes: readonly Change[]) => void,
  ) {
    const { writer } = database;
    this.#database = database;
    this.#log = log;
    this.#clock = clock;
    this.#publish = publish;
    this.#select = writer.prepare(`SELECT * FROM objects WHERE namespace = ? AND type = ? AND id = ?`);
    this.#put = writer.prepare(
      `INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
       version = excluded.version, phase = excluded.phase, owner = excluded.owner, meta = excluded.meta,
       spec = excluded.spec, revision = excluded.revision`,
    );
    this.#delete = writer.prepare(`DELETE FROM objects WHERE namespace = ? AND type = ? AND id = ?`);
    this.#count = writer.prepare(`UPDATE counters SET value = ? WHERE name = 'revision'`);
    this.#revision = revisionOf(database);
  }

  /** Of the last commit. */
  get revision(): number {
    return this.#revision;
  }

  /** Resolves after the commit that has it. */
  write(operations: readonly Operation[], signal: AbortSignal | undefined): Promise<Committed> {
    const { promise, resolve, reject } = Promise.withResolvers<Committed>();
    this.#queue.push({ operations, signal, resolve, reject });
    this.#schedule();
    return promise;
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.#scheduled !== undefined) await this.#scheduled;
  }

  #schedule(): void {
    this.#scheduled ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#scheduled = undefined;
        this.#turn();
        if (this.#queue.length > 0) this.#schedule();
        resolve();
      });
    });
  }

  /** One commit. Nothing is awaited, so that no reader of this process sees the middle of it. */
  #turn(): void {
    const { writer, path } = this.#database;
    const taken = this.#queue.slice(0, maxTransactions);
    const answers: (() => void)[] = [];
    const changes: Change[] = [];
    const untilMs = performance.now() + maxTurnMs;
    let revision = this.#revision;
    let count = 0;
    try {
      if (this.#broken !== undefined) throw this.#broken;
      writer.exec('BEGIN IMMEDIATE');
      for (const waiting of taken) {
        count += 1;
        const done = this.#apply(waiting, revision);
        answers.push(done.answer);
        changes.push(...done.changes);
        revision = done.revision;
        if (performance.now() >= untilMs) break;
      }
      if (changes.length > 0) this.#finish(revision);
      writer.exec('COMMIT');
    } catch (error) {
      this.#queue.splice(0, taken.length);
      this.#undo(error);
      const failure = this.#broken ?? storeError(path, error);
      for (const { reject } of taken) reject(failure);
      return;
    }
    this.#queue.splice(0, count);
    this.#revision = revision;
    if (changes.length > 0) this.#publish(changes);
    for (const answer of answers) answer();
  }

  /** Writes one transaction, or nothing of it when it is refused. */
  #apply(
    { operations, signal, resolve, reject }: Waiting,
    before: number,
  ): { readonly answer: () => void; readonly changes: readonly Change[]; readonly revision: number } {
    const nowMs = this.#clock.now();
    const found = operations.map(({ key }) => this.#find(key));
    let steps: readonly ReturnType<typeof decide>[];
    try {
      signal?.throwIfAborted();
      steps = operations.map((operation, index) => decide(found[index], operation, nowMs));
    } catch (error) {
      return { answer: () => reject(error), changes: [], revision: before };
    }
    const changes: Change[] = [];
    const resources = steps.map(({ resource }) => resource);
    for (const [index, { type, resource }] of steps.entries()) {
      if (type === 'unchanged') continue;
      const change: Change = { type, resource, previous: found[index], revision: before + 1 };
      const columns = toColumns(resource);
      if (type === 'destroyed') this.#delete.run(columns[0], columns[1], columns[2]);
      else this.#put.run(...columns, change.revision);
      this.#log.append(change, changes.length, nowMs, columns);
      changes.push(change);
    }
    const revision = changes.length === 0 ? before : before + 1;
    return { answer: () => resolve({ revision, resources }), changes, revision };
  }

  #finish(revision: number): void {
    this.#count.run(revision);
    this.#log.trim(this.#clock.now());
  }

  #find({ namespace, type, id }: Key): Resource | undefined {
    const row = this.#select.get(namespace, type, id) as unknown as ResourceRow | undefined;
    return row === undefined ? undefined : fromRow(row);
  }

  /** After an error of the disk nobody knows what it has: everything is refused until the file is opened again. */
  #undo(error: unknown): void {
    const { writer, path } = this.#database;
    try {
      writer.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back by itself after some errors. If it has not, the next commit can't begin and says so.
    }
    if (!isIoError(error)) return;
    const message = 'the disk failed in a commit, which may have been written; open it again';
    this.#broken ??= new StateError('ERR_STATE_UNKNOWN', path, message, { cause: error });
  }
}

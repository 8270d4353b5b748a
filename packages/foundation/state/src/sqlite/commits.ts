import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { decide } from '../decide.ts';
import type { Key, Resource } from '../resource.ts';
import type { Change } from '../seen.ts';
import { StateError } from '../state-error.ts';
import { isIoError, storeError } from './errors.ts';
import { type LogLimits, LogWriter } from './log-writer.ts';
import { type Answer, type FromThread, type Request, sendError } from './messages.ts';
import { revisionOf } from './reads.ts';
import type { ResourceRow } from './row.ts';
import type { Rows } from './rows.ts';

type Applied = { readonly answer: Answer; readonly changes: readonly Change[]; readonly revision: number };

/** Writes transactions to the file, many in one commit. Each call waits for the disk: it is for a thread of its own. */
export class Commits {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #rows: Rows;
  readonly #log: LogWriter;
  readonly #select: StatementSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #count: StatementSync;
  #broken: unknown;
  #revision: number;

  constructor(database: DatabaseSync, path: string, limits: LogLimits, rows: Rows) {
    this.#database = database;
    this.#path = path;
    this.#rows = rows;
    this.#log = new LogWriter(database, limits, rows);
    this.#select = database.prepare(`SELECT * FROM objects WHERE namespace = ? AND type = ? AND id = ?`);
    this.#put = database.prepare(
      `INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
       version = excluded.version, phase = excluded.phase, owner = excluded.owner, meta = excluded.meta,
       spec = excluded.spec, revision = excluded.revision`,
    );
    this.#delete = database.prepare(`DELETE FROM objects WHERE namespace = ? AND type = ? AND id = ?`);
    this.#count = database.prepare(`UPDATE counters SET value = ? WHERE name = 'revision'`);
    this.#revision = revisionOf(database);
  }

  /** One commit: those that are refused change nothing, and the others are on the disk when it returns. */
  write(requests: readonly Request[]): FromThread {
    const answers: Answer[] = [];
    const changes: Change[] = [];
    let revision = this.#revision;
    try {
      if (this.#broken !== undefined) throw this.#broken;
      this.#database.exec('BEGIN IMMEDIATE');
      for (const request of requests) {
        const done = this.#apply(request, revision);
        answers.push(done.answer);
        changes.push(...done.changes);
        revision = done.revision;
      }
      if (changes.length > 0) this.#finish(revision, requests.at(-1)?.nowMs ?? 0);
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#undo(error);
      return { failure: sendError(this.#broken ?? storeError(this.#path, error)) };
    }
    this.#revision = revision;
    return { revision, changes, answers };
  }

  /** Writes one transaction, or nothing of it when it is refused. */
  #apply({ operations, nowMs }: Request, before: number): Applied {
    const found = operations.map(({ key }) => this.#find(key));
    let steps: readonly ReturnType<typeof decide>[];
    try {
      steps = operations.map((operation, index) => decide(found[index], operation, nowMs));
    } catch (error) {
      return { answer: { refused: sendError(error) }, changes: [], revision: before };
    }
    const changes: Change[] = [];
    for (const [index, { type, resource }] of steps.entries()) {
      if (type === 'unchanged') continue;
      const change: Change = { type, resource, previous: found[index], revision: before + 1 };
      const columns = this.#rows.toColumns(resource);
      if (type === 'destroyed') this.#delete.run(columns[0], columns[1], columns[2]);
      else this.#put.run(...columns, change.revision);
      this.#log.append(change, changes.length, nowMs, columns);
      changes.push(change);
    }
    const revision = changes.length === 0 ? before : before + 1;
    return { answer: { revision, resources: steps.map(({ resource }) => resource) }, changes, revision };
  }

  #finish(revision: number, nowMs: number): void {
    this.#count.run(revision);
    this.#log.trim(nowMs);
  }

  #find(key: Key): Resource | undefined {
    const row = this.#select.get(key.namespace, key.type, this.#rows.idOf(key)) as unknown as
      | ResourceRow
      | undefined;
    return row === undefined ? undefined : this.#rows.fromRow(row);
  }

  /** After an error of the disk nobody knows what it has: everything is refused until the file is opened again. */
  #undo(error: unknown): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back by itself after some errors. If it has not, the next commit can't begin and says so.
    }
    if (!isIoError(error)) return;
    const message = 'the disk failed in a commit, which may have been written; open it again';
    this.#broken ??= new StateError('ERR_STATE_UNKNOWN', this.#path, message, { cause: error });
  }
}

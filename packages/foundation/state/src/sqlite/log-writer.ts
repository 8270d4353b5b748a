import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Change } from '../seen.ts';
import type { ResourceColumns } from './row.ts';
import type { Rows } from './rows.ts';

/** How much of the past is kept. */
export type LogLimits = { readonly maxRows: number; readonly maxAgeMs: number };

/** Rows that are written between two looks at the limits. */
const trimEvery = 1000;

/** Writes the log of changes, and forgets what is beyond its limits. */
export class LogWriter {
  readonly #append: StatementSync;
  readonly #nth: StatementSync;
  readonly #old: StatementSync;
  readonly #delete: StatementSync;
  readonly #setFloor: StatementSync;
  readonly #limits: LogLimits;
  readonly #rowsOf: Rows;
  readonly #trimEvery: number;
  #untilTrim: number;
  #rows: number;

  constructor(writer: DatabaseSync, limits: LogLimits, rows: Rows) {
    this.#rowsOf = rows;
    this.#limits = limits;
    this.#trimEvery = Math.min(trimEvery, limits.maxRows);
    this.#untilTrim = this.#trimEvery;
    this.#rows = Number(writer.prepare(`SELECT count(*) AS rows FROM log`).get()?.['rows']);
    this.#nth = writer.prepare(`SELECT revision FROM log ORDER BY revision, part LIMIT 1 OFFSET ?`);
    this.#old = writer.prepare(
      `SELECT max(revision) AS revision FROM (SELECT revision, at_ms FROM log ORDER BY revision, part LIMIT ?)
       WHERE at_ms < ?`,
    );
    this.#delete = writer.prepare(`DELETE FROM log WHERE revision <= ?`);
    this.#setFloor = writer.prepare(`UPDATE counters SET value = max(value, ?) WHERE name = 'floor'`);
    this.#append = writer.prepare(`INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  }

  /** Within a transaction. */
  append(change: Change, part: number, nowMs: number, columns: ResourceColumns): void {
    const before = this.#rowsOf.labelsBefore(change);
    this.#append.run(change.revision, part, nowMs, change.type, ...columns, before);
    this.#untilTrim -= 1;
    this.#rows += 1;
  }

  /** Within a transaction: forgets what is beyond the limits, now and then, and never much at once. */
  trim(nowMs: number): void {
    if (this.#untilTrim > 0) return;
    this.#untilTrim = this.#trimEvery;
    const excess = Math.min(this.#rows - this.#limits.maxRows, 2 * this.#trimEvery);
    const byCount = excess > 0 ? Number(this.#nth.get(excess - 1)?.['revision'] ?? 0) : 0;
    const byAge = Number(
      this.#old.get(2 * this.#trimEvery, nowMs - this.#limits.maxAgeMs)?.['revision'] ?? 0,
    );
    const floor = Math.max(byAge, byCount);
    if (floor === 0) return;
    this.#rows -= Number(this.#delete.run(floor).changes);
    this.#setFloor.run(floor);
  }
}

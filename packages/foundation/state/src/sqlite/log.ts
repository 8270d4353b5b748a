import type { StatementSync } from 'node:sqlite';

import type { Kind } from '../resource.ts';
import type { Change } from '../seen.ts';
import type { Database } from './database.ts';
import { fromRow, type ResourceColumns, type ResourceRow, withLabels } from './rows.ts';

type LogRow = ResourceRow & {
  readonly revision: number;
  readonly event: Change['type'];
  readonly labels_before: string | null;
};

/** How much of the past is kept. */
export type LogLimits = { readonly maxRows: number; readonly maxAgeMs: number };

/** Rows that are written between two looks at the limits. */
const trimEvery = 1000;

/** The last changes of all kinds, for watches that come back later than the memory of this process reaches. */
export class ChangeLog {
  readonly #append: StatementSync;
  readonly #read: StatementSync;
  readonly #floorOf: StatementSync;
  readonly #nth: StatementSync;
  readonly #old: StatementSync;
  readonly #delete: StatementSync;
  readonly #setFloor: StatementSync;
  readonly #limits: LogLimits;
  readonly #trimEvery: number;
  #untilTrim: number;
  #rows: number;

  constructor({ writer, reader }: Pick<Database, 'writer' | 'reader'>, limits: LogLimits) {
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
    this.#read = reader.prepare(
      `SELECT * FROM log WHERE revision > ? AND revision <= ? AND namespace = ? AND type = ?
       ORDER BY revision, part LIMIT ?`,
    );
    this.#floorOf = reader.prepare(`SELECT value FROM counters WHERE name = 'floor'`);
  }

  /** Changes up to this revision are forgotten. */
  get floor(): number {
    return Number(this.#floorOf.get()?.['value']);
  }

  /** Within a transaction of the writer. */
  append({ type, previous, revision }: Change, part: number, nowMs: number, columns: ResourceColumns): void {
    const before = previous === undefined ? null : JSON.stringify(previous.metadata.labels);
    this.#append.run(revision, part, nowMs, type, ...columns, before);
    this.#untilTrim -= 1;
    this.#rows += 1;
  }

  /** Within a transaction of the writer: forgets what is beyond the limits, now and then, and never much at once. */
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

  /** Changes of a kind after one revision and up to another, oldest first; at least `limit` where there are more. */
  read({ namespace, type }: Kind, after: number, upTo: number, limit: number): Change[] {
    const rows = this.#read.all(after, upTo, namespace, type, limit) as unknown as LogRow[];
    const last = rows.at(-1)?.revision;
    // The last revision may go on behind the limit, and is never told in halves.
    if (rows.length === limit && last !== undefined) {
      const whole = rows.filter(({ revision }) => revision < last);
      const rest = this.#read.all(last - 1, last, namespace, type, -1) as unknown as LogRow[];
      return [...whole, ...rest].map(toChange);
    }
    return rows.map(toChange);
  }
}

function toChange(row: LogRow): Change {
  const resource = fromRow(row);
  const { event: type, labels_before: before, revision } = row;
  return { type, resource, revision, ...(before !== null && { previous: withLabels(resource, before) }) };
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Kind } from '../resource.ts';
import type { Change } from '../seen.ts';
import type { Database } from './database.ts';
import { fromRow, type ResourceRow, toColumns, withLabels } from './rows.ts';

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
  readonly #writer: DatabaseSync;
  readonly #limits: LogLimits;
  #untilTrim = trimEvery;

  constructor({ writer, reader }: Pick<Database, 'writer' | 'reader'>, limits: LogLimits) {
    this.#writer = writer;
    this.#limits = limits;
    this.#append = writer.prepare(`INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#read = reader.prepare(
      `SELECT * FROM log WHERE revision > ? AND revision <= ? AND namespace = ? AND type = ?
       ORDER BY revision, part LIMIT ?`,
    );
    this.#floorOf = reader.prepare(`SELECT value FROM counters WHERE name = 'floor'`);
    this.#untilTrim = Math.min(trimEvery, limits.maxRows);
  }

  /** Changes up to this revision are forgotten. */
  get floor(): number {
    return Number(this.#floorOf.get()?.['value']);
  }

  /** Within a transaction of the writer. */
  append({ type, resource, previous, revision }: Change, part: number, nowMs: number): void {
    const before = previous === undefined ? null : JSON.stringify(previous.metadata.labels);
    this.#append.run(revision, part, nowMs, type, ...toColumns(resource), before);
    this.#untilTrim -= 1;
  }

  /** Within a transaction of the writer: forgets what is beyond the limits, now and then. */
  trim(nowMs: number): void {
    if (this.#untilTrim > 0) return;
    this.#untilTrim = Math.min(trimEvery, this.#limits.maxRows);
    const byAge = this.#number(
      `SELECT max(revision) FROM log WHERE at_ms < ?`,
      nowMs - this.#limits.maxAgeMs,
    );
    const byCount = this.#number(
      `SELECT revision FROM log ORDER BY revision DESC, part DESC LIMIT 1 OFFSET ?`,
      this.#limits.maxRows,
    );
    const floor = Math.max(byAge, byCount);
    if (floor === 0) return;
    this.#writer.prepare(`DELETE FROM log WHERE revision <= ?`).run(floor);
    this.#writer.prepare(`UPDATE counters SET value = max(value, ?) WHERE name = 'floor'`).run(floor);
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

  #number(query: string, value: number): number {
    return Number(Object.values(this.#writer.prepare(query).get(value) ?? {})[0] ?? 0);
  }
}

function toChange(row: LogRow): Change {
  const resource = fromRow(row);
  const { event: type, labels_before: before, revision } = row;
  return { type, resource, revision, ...(before !== null && { previous: withLabels(resource, before) }) };
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Kind } from '../resource.ts';
import type { Change } from '../seen.ts';
import { snapshot } from './reads.ts';
import type { ResourceRow } from './row.ts';
import type { Rows } from './rows.ts';

type LogRow = ResourceRow & {
  readonly revision: number;
  readonly event: Change['type'];
  readonly labels_before: string | null;
};

/** The last changes of all kinds, for watches that come back later than the memory of this process reaches. */
export class ChangeLog {
  readonly #reader: DatabaseSync;
  readonly #stored: Rows;
  readonly #read: StatementSync;
  readonly #floorOf: StatementSync;

  constructor(reader: DatabaseSync, stored: Rows) {
    this.#reader = reader;
    this.#stored = stored;
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

  /**
   * Changes of a kind after one revision and up to another, oldest first; at least `limit` where there are more. Undefined
   * when some of them are forgotten.
   */
  read(kind: Kind, after: number, upTo: number, limit: number): Change[] | undefined {
    // Of one commit: the thread that writes may forget some of them between two looks.
    return snapshot(this.#reader, () =>
      after < this.floor ? undefined : this.#rows(kind, after, upTo, limit).map((row) => this.#change(row)),
    );
  }

  #rows({ namespace, type }: Kind, after: number, upTo: number, limit: number): LogRow[] {
    const rows = this.#read.all(after, upTo, namespace, type, limit) as unknown as LogRow[];
    const last = rows.at(-1)?.revision;
    if (rows.length < limit || last === undefined) return rows;
    // The last revision may go on behind the limit, and is never told in halves.
    const whole = rows.filter(({ revision }) => revision < last);
    const rest = this.#read.all(last - 1, last, namespace, type, -1) as unknown as LogRow[];
    return [...whole, ...rest];
  }

  #change(row: LogRow): Change {
    const resource = this.#stored.fromRow(row);
    const { event: type, labels_before: before, revision } = row;
    const previous = before === null ? undefined : this.#stored.previous(resource, before, revision);
    return { type, resource, revision, ...(previous !== undefined && { previous }) };
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';

import type { Key, Kind, Resource } from '../resource.ts';
import type { Listing } from '../state.ts';
import type { Database } from './database.ts';
import { revisionOf, snapshot } from './reads.ts';
import type { ResourceRow } from './row.ts';
import type { Rows } from './rows.ts';

/** Resources that are read at once before others get their turn. */
const pageSize = 500;

const select = `SELECT * FROM objects WHERE namespace = ? AND type = ?`;

/** Reads of what is committed. Short ones share a connection; long ones have one of their own, and writers go on. */
export class Pages {
  readonly #database: Database;
  readonly #one: StatementSync;
  readonly #few: StatementSync;

  constructor(database: Database) {
    this.#database = database;
    this.#one = database.reader.prepare(`${select} AND id = ?`);
    this.#few = database.reader.prepare(`${select} LIMIT ?`);
  }

  get(key: Key): Resource | undefined {
    const { rows } = this.#database;
    const row = this.#one.get(key.namespace, key.type, rows.idOf(key)) as unknown as ResourceRow | undefined;
    return row === undefined ? undefined : rows.fromRow(row);
  }

  /** A resource, and the revision at which it was so. */
  getAt(key: Key): { readonly resource: Resource | undefined; readonly revision: number } {
    const { reader } = this.#database;
    return snapshot(reader, () => ({ resource: this.get(key), revision: revisionOf(reader) }));
  }

  /** All resources of a kind, in no order, as they were at one revision. */
  async list(kind: Kind, signal?: AbortSignal): Promise<Listing> {
    const { namespace, type } = kind;
    const { reader } = this.#database;
    const { rows, revision } = snapshot(reader, () => ({
      rows: this.#few.all(namespace, type, pageSize + 1) as unknown as ResourceRow[],
      revision: revisionOf(reader),
    }));
    if (rows.length <= pageSize)
      return { resources: rows.map((row) => this.#database.rows.fromRow(row)), revision };
    const connection = this.#database.openReader();
    try {
      connection.exec('BEGIN'); // all reads up to its end see one commit
      return await listAll(connection, this.#database.rows, kind, signal);
    } finally {
      connection.close();
    }
  }
}

async function listAll(
  connection: DatabaseSync,
  stored: Rows,
  { namespace, type }: Kind,
  signal?: AbortSignal,
): Promise<Listing> {
  const revision = revisionOf(connection);
  const page = connection.prepare(`${select} AND id > ? ORDER BY id LIMIT ?`);
  const resources: Resource[] = [];
  for (let last = ''; ;) {
    const rows = page.all(namespace, type, last, pageSize) as unknown as ResourceRow[];
    resources.push(...rows.map((row) => stored.fromRow(row)));
    if (rows.length < pageSize) return { resources, revision };
    last = rows.at(-1)!.id;
    await turn();
    signal?.throwIfAborted();
  }
}

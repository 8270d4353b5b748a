import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { inStore, inTransaction, openDatabase } from '../database.ts';
import type { Page, SchematicStore, StoredSchematic } from './schematic-store.ts';

/** As queries have to write it for SQLite to use the index. */
const firstLine = 'substr(text, 1, instr(text, char(10)) - 1)';
const tables = `
  CREATE TABLE IF NOT EXISTS schematics (id TEXT PRIMARY KEY, text TEXT NOT NULL, created TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS schematics_by_owner ON schematics (${firstLine}, id) WHERE text GLOB 'owner: *'`;

type Waiting = { readonly id: string; readonly text: string } & PromiseWithResolvers<boolean>;

/** Schematics in a file that only its owner reads. Those that come in one turn of the loop share a commit, and its wait for the disk. */
export class SqliteSchematics implements SchematicStore {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #list: StatementSync;
  #waiting: Waiting[] = [];

  private constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare(
      'INSERT INTO schematics (id, text, created) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#select = database.prepare('SELECT text FROM schematics WHERE id = ?');
    this.#list = database.prepare(
      `SELECT id, text, created FROM schematics WHERE text GLOB 'owner: *' AND ${firstLine} = ? AND id > ? ORDER BY id LIMIT ?`,
    );
  }

  /**
   * Opens or makes the store in a directory, which is made when it isn't there.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
   */
  static async open(directory: string): Promise<SqliteSchematics> {
    return new SqliteSchematics(await openDatabase(directory, 'schematics.sqlite', tables));
  }

  async put(id: string, text: string): Promise<boolean> {
    if ((await this.get(id)) !== undefined) return false;
    const kept = Promise.withResolvers<boolean>();
    if (this.#waiting.push({ id, text, ...kept }) === 1) setImmediate(() => this.#commit());
    return await kept.promise;
  }

  /** Keeps all of them or none. */
  #commit(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    const created = new Date().toISOString();
    try {
      const changes = inStore('schematic', () =>
        inTransaction(this.#database, () =>
          waiting.map(({ id, text }) => this.#insert.run(id, text, created).changes),
        ),
      );
      for (const [index, { resolve }] of waiting.entries()) resolve(changes[index] === 1);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  async get(id: string): Promise<string | undefined> {
    const text = inStore('schematic', () => this.#select.get(id))?.['text'];
    return typeof text === 'string' ? text : undefined;
  }

  async list(line: string, { after, limit }: Page): Promise<readonly StoredSchematic[]> {
    const rows = inStore('schematic', () => this.#list.all(line, after, limit));
    return rows.map(({ id, text, created }) => {
      return { id: String(id), text: String(text), createdAt: new Date(String(created)) };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#database.isOpen) return;
    this.#commit();
    this.#database.close();
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { inStore, openDatabase } from '../database.ts';
import type { SchematicStore } from './schematic-store.ts';

/** Schematics in a file that only its owner reads. */
export class SqliteSchematics implements SchematicStore {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare(
      'INSERT INTO schematics (id, text, created) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#select = database.prepare('SELECT text FROM schematics WHERE id = ?');
  }

  /**
   * Opens or makes the store in a directory, which is made when it isn't there.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
   */
  static async open(directory: string): Promise<SqliteSchematics> {
    const tables =
      'CREATE TABLE IF NOT EXISTS schematics (id TEXT PRIMARY KEY, text TEXT NOT NULL, created TEXT NOT NULL) STRICT, WITHOUT ROWID';
    return new SqliteSchematics(await openDatabase(directory, 'schematics.sqlite', tables));
  }

  async put(id: string, text: string): Promise<boolean> {
    if ((await this.get(id)) !== undefined) return false;
    const { changes } = inStore('schematic', () => this.#insert.run(id, text, new Date().toISOString()));
    return changes === 1;
  }

  async get(id: string): Promise<string | undefined> {
    const text = inStore('schematic', () => this.#select.get(id))?.['text'];
    return typeof text === 'string' ? text : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }
}

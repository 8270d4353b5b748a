import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { inStore, openDatabase } from '../database.ts';

/**
 * Schematics by ID, in a file that only its owner reads: they may hold join tokens. What {@link SchematicStore.put} has
 * returned from survives a power cut.
 */
export class SchematicStore implements Disposable {
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
  static async open(directory: string): Promise<SchematicStore> {
    const tables =
      'CREATE TABLE IF NOT EXISTS schematics (id TEXT PRIMARY KEY, text TEXT NOT NULL, created TEXT NOT NULL) STRICT, WITHOUT ROWID';
    return new SchematicStore(await openDatabase(directory, 'schematics.sqlite', tables));
  }

  /**
   * Keeps the canonical text under its ID; one that is there is left alone.
   *
   * @returns whether it was not there.
   * @throws {FactoryError} with `ERR_FACTORY_STORE_FULL` or `ERR_FACTORY_STORE`; then it is not kept.
   */
  put(id: string, text: string): boolean {
    if (this.get(id) !== undefined) return false;
    inStore('schematic', () => this.#insert.run(id, text, new Date().toISOString()));
    return true;
  }

  /** The canonical text, or undefined. */
  get(id: string): string | undefined {
    const text = inStore('schematic', () => this.#select.get(id))?.['text'];
    return typeof text === 'string' ? text : undefined;
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

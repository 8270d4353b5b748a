import { chmod, open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { codeOf, makeDirectory } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';

/** SQLITE_FULL, https://sqlite.org/rescode.html. */
const full = 13;

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
    const path = join(directory, 'schematics.sqlite');
    try {
      await makeDirectory(directory);
      await using file = await open(path, 'a', 0o600);
      await file.chmod(0o600);
      await chmod(directory, 0o700);
      const database = new DatabaseSync(path);
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
      database.exec(
        'CREATE TABLE IF NOT EXISTS schematics (id TEXT PRIMARY KEY, text TEXT NOT NULL, created TEXT NOT NULL) STRICT, WITHOUT ROWID',
      );
      return new SchematicStore(database);
    } catch (error) {
      throw new FactoryError('ERR_FACTORY_SETUP', `${path}: ${codeOf(error) ?? 'can not be opened'}`, {
        cause: error,
      });
    }
  }

  /**
   * Keeps the canonical text under its ID; one that is there is left alone.
   *
   * @throws {FactoryError} with `ERR_FACTORY_STORE_FULL` or `ERR_FACTORY_STORE`; then it is not kept.
   */
  put(id: string, text: string): void {
    if (this.get(id) !== undefined) return;
    run(() => this.#insert.run(id, text, new Date().toISOString()));
  }

  /** The canonical text, or undefined. */
  get(id: string): string | undefined {
    const text = run(() => this.#select.get(id))?.['text'];
    return typeof text === 'string' ? text : undefined;
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

function run<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isFull = error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === full;
    if (isFull)
      throw new FactoryError('ERR_FACTORY_STORE_FULL', 'no room for another schematic', { cause: error });
    throw new FactoryError('ERR_FACTORY_STORE', 'the store of schematics fails', { cause: error });
  }
}

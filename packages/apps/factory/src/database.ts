import { chmod, open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { codeOf, makeDirectory } from '@nodecore/sys';

import { FactoryError } from './errors.ts';

/** SQLITE_FULL, https://sqlite.org/rescode.html. */
const full = 13;

/**
 * Opens or makes a database in a directory, which is made when it isn't there; only their owner reads them. What a statement has
 * returned from survives a power cut. Several processes may have it open.
 *
 * @param tables statements that may be run each time.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
 */
export async function openDatabase(directory: string, name: string, tables: string): Promise<DatabaseSync> {
  const path = join(directory, name);
  try {
    await makeDirectory(directory);
    await using file = await open(path, 'a', 0o600);
    await file.chmod(0o600);
    await chmod(directory, 0o700);
    const database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
    database.exec(tables);
    return database;
  } catch (error) {
    throw new FactoryError('ERR_FACTORY_SETUP', `${path}: ${codeOf(error) ?? 'can not be opened'}`, {
      cause: error,
    });
  }
}

/**
 * What a database does, with its errors as those of a store.
 *
 * @param what is kept there, as `schematic`.
 * @throws {FactoryError} with `ERR_FACTORY_STORE_FULL` or `ERR_FACTORY_STORE`; then nothing was changed.
 */
export function inStore<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof FactoryError) throw error;
    const isFull = error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === full;
    if (isFull)
      throw new FactoryError('ERR_FACTORY_STORE_FULL', `no room for another ${what}`, { cause: error });
    throw new FactoryError('ERR_FACTORY_STORE', `the store of ${what}s fails`, { cause: error });
  }
}

/** All that `work` does, or nothing of it. What it returns the disk has. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

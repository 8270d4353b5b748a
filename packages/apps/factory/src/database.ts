import { chmod, open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { codeOf, makeDirectory } from '@nodecore/sys';

import { FactoryError } from './errors.ts';
import { isFull } from './full.ts';

/**
 * Opens or makes a database in a directory, which is made when it isn't there; only their owner reads them. What a statement has
 * returned from survives a power cut. Several processes may have it open.
 *
 * @param tables statements that may be run each time.
 * @param adapt changes what an earlier version has left.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
 */
export async function openDatabase(
  directory: string,
  name: string,
  tables: string,
  adapt: (database: DatabaseSync) => void = () => {},
): Promise<DatabaseSync> {
  const path = join(directory, name);
  try {
    await makeDirectory(directory);
    await using file = await open(path, 'a', 0o600);
    await file.chmod(0o600);
    await chmod(directory, 0o700);
    const database = new DatabaseSync(path);
    try {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
      database.exec(tables);
      adapt(database);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    throw new FactoryError('ERR_FACTORY_SETUP', `${path}: ${whyNotOpen(error)}`, { cause: error });
  }
}

/** All errors of SQLite have one code: what they are about stands beside it. */
function whyNotOpen(error: unknown): string {
  if (isFull(error)) return 'no room on its disk';
  if (error instanceof Error && 'errcode' in error && 'errstr' in error)
    return `${String(error.errstr)} (SQLite ${String(error.errcode)})`;
  return codeOf(error) ?? 'can not be opened';
}

/**
 * What a database does, with its errors as those of a store.
 *
 * @param what is kept there, as `schematic`.
 * @param noRoom what is said of a full disk; that there is no room for another one, unless given.
 * @throws {FactoryError} with `ERR_FACTORY_STORE_FULL` or `ERR_FACTORY_STORE`; then nothing was changed.
 */
export function inStore<T>(what: string, work: () => T, noRoom: string = `no room for another ${what}`): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof FactoryError) throw error;
    if (isFull(error)) throw new FactoryError('ERR_FACTORY_STORE_FULL', noRoom, { cause: error });
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

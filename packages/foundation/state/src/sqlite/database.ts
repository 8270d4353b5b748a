import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

import { storeError } from './errors.ts';
import { type FileLock, lockFile } from './file-lock.ts';
import { prepareSchema } from './schema.ts';

/** The connections to one file: one writes; readers see the last commit and don't wait for it. */
export type Database = {
  readonly path: string;
  readonly writer: DatabaseSync;
  readonly reader: DatabaseSync;
  /** One more for a long read, to be closed by the caller. */
  readonly openReader: () => DatabaseSync;
  readonly close: () => Promise<void>;
};

/**
 * Opens or makes the file, readable and writable by its owner alone.
 *
 * @throws {StateError} `ERR_STATE_LOCKED`, `ERR_STATE_NEWER`, `ERR_STATE_CORRUPT`.
 */
export async function openDatabase(path: string): Promise<Database> {
  const lock = await lockFile(path);
  const opened: DatabaseSync[] = [];
  const connect = (readOnly: boolean): DatabaseSync => {
    const database = new DatabaseSync(path, { readOnly });
    opened.push(database);
    return database;
  };
  try {
    await makePrivate(path);
    const writer = connect(false);
    prepareSchema(writer, path);
    const reader = connect(true);
    return {
      path,
      writer,
      reader,
      openReader: () => new DatabaseSync(path, { readOnly: true }),
      close: async () => await closeAll([reader, writer], lock),
    };
  } catch (error) {
    await closeAll(opened.toReversed(), lock);
    throw storeError(path, error);
  }
}

/** The newest revision that a connection sees. */
export function revisionOf({ reader }: Pick<Database, 'reader'>): number {
  const found = reader.prepare(`SELECT value FROM counters WHERE name = 'revision'`).get();
  return Number(found?.['value']);
}

/** SQLite gives its other files the mode of this one. */
async function makePrivate(path: string): Promise<void> {
  await using file = await open(path, 'a', 0o600);
  await file.chmod(0o600);
}

async function closeAll(databases: readonly DatabaseSync[], lock: FileLock): Promise<void> {
  try {
    for (const database of databases) database.close();
  } finally {
    await lock.close();
  }
}

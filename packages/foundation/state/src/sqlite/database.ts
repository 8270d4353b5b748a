import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

import { storeError } from './errors.ts';
import { lockFile } from './file-lock.ts';
import type { LogLimits } from './log-writer.ts';
import { Rows } from './rows.ts';
import type { Sealing } from './sealing.ts';
import { WriteThread } from './write-thread.ts';

/** The connections to one file: a thread writes; readers see the last commit and don't wait for it. */
export type Database = {
  readonly path: string;
  readonly thread: WriteThread;
  readonly reader: DatabaseSync;
  /** How resources are stored in it. */
  readonly rows: Rows;
  /** One more for a long read, to be closed by the caller. */
  readonly openReader: () => DatabaseSync;
  readonly close: () => Promise<void>;
};

/**
 * Opens or makes the file, readable and writable by its owner alone.
 *
 * @throws {StateError} `ERR_STATE_LOCKED`, `ERR_STATE_NEWER`, `ERR_STATE_KEY`, `ERR_STATE_CORRUPT`.
 */
export async function openDatabase(path: string, limits: LogLimits, sealing?: Sealing): Promise<Database> {
  await using opened = new AsyncDisposableStack();
  const lock = opened.adopt(await lockFile(path), async (taken) => await taken.close());
  await makePrivate(path);
  const thread = opened.adopt(
    await WriteThread.open({ path, limits, sealing }),
    async (writer) => await writer.close(),
  );
  const openReader = (): DatabaseSync => new DatabaseSync(path, { readOnly: true });
  try {
    const reader = openReader();
    const rows = Rows.of(reader, path, sealing);
    opened.move();
    const close = async (): Promise<void> => {
      try {
        reader.close();
        await thread.close(); // the last connection takes the log into the file
      } finally {
        await lock.close();
      }
    };
    return { path, thread, reader, rows, openReader, close };
  } catch (error) {
    throw storeError(path, error);
  }
}

/** SQLite gives its other files the mode of this one. */
async function makePrivate(path: string): Promise<void> {
  await using file = await open(path, 'a', 0o600);
  await file.chmod(0o600);
}

import { DatabaseSync } from 'node:sqlite';

import { systemClock } from '@nodecore/waiting';

import { Rows } from '../src/sqlite/rows.ts';
import { prepareSchema } from '../src/sqlite/schema.ts';
import { SqliteState } from '../src/sqlite/sqlite-state.ts';
import type { WriteThread } from '../src/sqlite/write-thread.ts';

/**
 * Opens a state to read it, with what its thread does to open the file done in this one: to begin a thread takes fifty times as
 * long, which is much for a file at each of its moments.
 */
export function openHere(path: string): SqliteState {
  const writer = new DatabaseSync(path);
  prepareSchema(writer, path, undefined);
  const openReader = (): DatabaseSync => new DatabaseSync(path, { readOnly: true });
  const reader = openReader();
  const close = async (): Promise<void> => {
    reader.close();
    await Promise.resolve(writer.close()); // the last connection takes the log into the file
  };
  const thread = {} as WriteThread; // nothing is written
  return new SqliteState(
    { path, thread, reader, rows: Rows.of(reader, path, undefined), openReader, close },
    systemClock,
  );
}

import type { DatabaseSync } from 'node:sqlite';

/** The newest revision that a connection sees. */
export function revisionOf(connection: DatabaseSync): number {
  const found = connection.prepare(`SELECT value FROM counters WHERE name = 'revision'`).get();
  return Number(found?.['value']);
}

/** Reads of one commit, whatever is committed meanwhile. */
export function snapshot<T>(reader: DatabaseSync, read: () => T): T {
  reader.exec('BEGIN');
  try {
    return read();
  } finally {
    reader.exec('COMMIT');
  }
}

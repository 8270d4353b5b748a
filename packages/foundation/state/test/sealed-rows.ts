import { createSecretKey } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

import type { Secret } from '@nodecore/sys';

import { byId, type Resource } from '../src/index.ts';
import { revisionOf } from '../src/sqlite/reads.ts';
import type { ResourceRow } from '../src/sqlite/row.ts';
import { Rows } from '../src/sqlite/rows.ts';
import { prepareSchema } from '../src/sqlite/schema.ts';

/** Opens a file as the thread does, reads everything and closes it: for tests that open hundreds. */
export function sealedRows(
  path: string,
  keys: readonly Secret[],
  types: readonly string[],
): { readonly revision: number; readonly read: readonly (Resource | Error)[] } {
  const sealing = { keys: keys.map(({ bytes }) => createSecretKey(bytes)), types };
  using database = new DatabaseSync(path);
  prepareSchema(database, path, sealing);
  const rows = Rows.of(database, path, sealing);
  const found = database.prepare('SELECT * FROM objects').all() as unknown as ResourceRow[];
  const read = found.map((row) => {
    try {
      return rows.fromRow(row);
    } catch (error) {
      return error as Error;
    }
  });
  return { revision: revisionOf(database), read };
}

/** Resources in the order of lists. */
export function inOrder(read: readonly (Resource | Error)[]): Resource[] {
  return read.filter((one): one is Resource => !(one instanceof Error)).sort(byId);
}

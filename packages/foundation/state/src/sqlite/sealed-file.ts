import { stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

import { codeOf } from '@nodecore/sys';

import { StateError } from '../state-error.ts';
import { storeError } from './errors.ts';
import type { ResourceRow } from './row.ts';
import { Rows } from './rows.ts';
import { Seal } from './seal.ts';
import { includesType, readSealRecord, type Sealing, type SealRecord, writeSealRecord } from './sealing.ts';

/** Programs before this schema know of nothing that is sealed. */
const sealedSchema = 2;
/** Rows that are in memory at once. */
const pageSize = 500;

/**
 * Whether a file is there and needs a key: for who makes keys, before a new one is made for a file that has one.
 *
 * @throws {StateError} `ERR_STATE_CORRUPT` for what is no such file.
 */
export async function isSealedFile(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined || found.size === 0) return false;
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    return readSealRecord(database, path) !== undefined;
  } catch (error) {
    throw storeError(path, error);
  }
}

/**
 * Sees to it that a file is sealed as it is asked for: with the first key, and the types of before and now. What differs is
 * sealed in one transaction; then nothing of before is left in pages that are not in use, or in the log of SQLite.
 *
 * @param isNew nothing was in the file yet.
 * @throws {StateError} `ERR_STATE_KEY` when none of the keys is the file's, `ERR_STATE_CORRUPT` when something in it was not
 *   sealed with that key; nothing is changed then.
 */
export function sealFile(
  database: DatabaseSync,
  path: string,
  sealing: Sealing | undefined,
  isNew: boolean,
): void {
  const before = readSealRecord(database, path);
  if (sealing === undefined) {
    if (before === undefined) return;
    throw new StateError('ERR_STATE_KEY', path, 'it is sealed, and no key was given');
  }
  const seals = sealing.keys.map((key) => new Seal(key));
  const current = seals.find(({ keyId }) => keyId === before?.keyId);
  const seal = seals[0];
  if (seal === undefined || (before !== undefined && current === undefined)) {
    throw new StateError('ERR_STATE_KEY', path, 'it is sealed with another key');
  }
  const types = both(before?.types ?? [], sealing.types);
  const record = { keyId: seal.keyId, types, residue: !isNew };
  const isKept = before?.keyId === record.keyId && sameTypes(before.types, types);
  if (!isKept) {
    database.exec('BEGIN IMMEDIATE');
    try {
      sealAnew(database, new Rows(current, before?.types), new Rows(seal, types), record);
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }
  if (isKept ? before.residue : record.residue) dropResidue(database, { ...record, residue: false });
}

function sealAnew(database: DatabaseSync, from: Rows, to: Rows, record: SealRecord): void {
  const page = database.prepare(`SELECT rowid AS row, * FROM objects WHERE rowid > ? ORDER BY rowid LIMIT ?`);
  const update = database.prepare(
    `UPDATE objects SET namespace = ?, type = ?, id = ?, version = ?, phase = ?, owner = ?, meta = ?, spec = ?
     WHERE rowid = ?`,
  );
  for (let last = 0; ;) {
    const rows = page.all(last, pageSize) as unknown as (ResourceRow & { readonly row: number })[];
    for (const row of rows) {
      last = row.row;
      if (includesType(record.types, row.type)) update.run(...to.toColumns(from.fromRow(row)), row.row);
    }
    if (rows.length < pageSize) break;
  }
  // No watch is open now, and those that come back list again.
  database.exec(`DELETE FROM log; UPDATE counters SET value = (SELECT value FROM counters WHERE name = 'revision')
    WHERE name = 'floor'`);
  writeSealRecord(database, record);
  database.exec(`PRAGMA user_version = ${sealedSchema}`);
}

/** Writes the file anew without what was deleted. Until this is through, the record says that it is to be done. */
function dropResidue(database: DatabaseSync, record: SealRecord): void {
  database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  writeSealRecord(database, record);
}

function both(one: Sealing['types'], other: Sealing['types']): Sealing['types'] {
  return one === 'all' || other === 'all' ? 'all' : [...new Set([...one, ...other])].sort();
}

function sameTypes(one: Sealing['types'], other: Sealing['types']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

import type { DatabaseSync } from 'node:sqlite';

import { StateError } from '../state-error.ts';
import { sealFile } from './sealed-file.ts';
import type { Sealing } from './sealing.ts';

/** Says in the header of the file whose it is: `node`. */
const applicationId = 0x6e6f6465;
/** Of files that are not sealed; see `sealed-file.ts` for the others. */
const plainVersion = 1;
const newestVersion = 2;

const tables = `
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID, STRICT;
  INSERT INTO counters VALUES ('revision', 0), ('floor', 0);
  CREATE TABLE objects (
    namespace TEXT NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
    phase TEXT NOT NULL, owner TEXT NOT NULL, meta TEXT NOT NULL, spec TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (namespace, type, id)
  ) STRICT;
  CREATE TABLE log (
    revision INTEGER NOT NULL, part INTEGER NOT NULL, at_ms INTEGER NOT NULL, event TEXT NOT NULL,
    namespace TEXT NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
    phase TEXT NOT NULL, owner TEXT NOT NULL, meta TEXT NOT NULL, spec TEXT NOT NULL,
    labels_before TEXT,
    PRIMARY KEY (revision, part)
  ) STRICT;
`;

/**
 * Makes the tables of a new file, or checks that the file is ours and whole, and sealed as it should be.
 *
 * @throws {StateError} `ERR_STATE_NEWER`, `ERR_STATE_KEY`, `ERR_STATE_CORRUPT`.
 */
export function prepareSchema(database: DatabaseSync, path: string, sealing?: Sealing): void {
  const application = pragma(database, 'application_id');
  const version = pragma(database, 'user_version');
  const isEmpty = pragma(database, 'page_count') === 0;
  if (!isEmpty && application !== applicationId) {
    throw new StateError('ERR_STATE_CORRUPT', path, 'a database of another program');
  }
  if (version > newestVersion) {
    const message = `has schema ${version}, and this version knows ${newestVersion}`;
    throw new StateError('ERR_STATE_NEWER', path, message);
  }
  if (isEmpty) {
    // One transaction, before anything else writes to the file: it is empty or whole, whatever happens.
    database.exec(
      `BEGIN IMMEDIATE; ${tables} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${plainVersion}; COMMIT`,
    );
  } else checkWhole(database, path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  // 16 MiB: each commit to the log alone, and the file written less often.
  database.exec('PRAGMA wal_autocheckpoint = 4000');
  sealFile(database, path, sealing, isEmpty);
}

function checkWhole(database: DatabaseSync, path: string): void {
  const found = database.prepare('PRAGMA quick_check(1)').get();
  const said = Object.values(found ?? {})[0];
  if (said !== 'ok') throw new StateError('ERR_STATE_CORRUPT', path, String(said));
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

import { createSecretKey, type KeyObject } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

import type { Secret } from '@nodecore/sys';

import { StateError } from '../state-error.ts';

/** What is kept encrypted in the file, and by which key. */
export type SealingOptions = {
  /**
   * Keys of 32 bytes; the caller disposes them. The first one seals. Where the file was sealed by another of them, everything
   * is sealed anew when it is opened, and that one is not needed any more.
   */
  readonly keys: readonly Secret[];
  /** Full names of types; a type that was sealed once stays so. */
  readonly types: readonly string[] | 'all';
};

/** The same for the thread that writes: a key object is shared with it, where bytes would be copied. */
export type Sealing = {
  readonly keys: readonly KeyObject[];
  readonly types: readonly string[] | 'all';
};

const keyBytes = 32;

/** @throws {StateError} `ERR_STATE_KEY` for what is no key. */
export function sealingOf(path: string, options: SealingOptions): Sealing {
  const { keys, types } = options;
  if (keys.length === 0) throw new StateError('ERR_STATE_KEY', path, 'no key to seal with');
  for (const { sizeBytes } of keys) {
    if (sizeBytes === keyBytes) continue;
    throw new StateError('ERR_STATE_KEY', path, `a key has ${keyBytes} bytes, and one has ${sizeBytes}`);
  }
  return { keys: keys.map(({ bytes }) => createSecretKey(bytes)), types };
}

/** Whether resources of a type are sealed. */
export function includesType(types: Sealing['types'], type: string): boolean {
  return types === 'all' || types.includes(type);
}

/** What a file says about itself: the key that it is sealed with, and which types are. */
export type SealRecord = {
  readonly keyId: string;
  readonly types: Sealing['types'];
  /** What was there before may still be in pages that are not in use. */
  readonly residue: boolean;
};

/** The record of a file; undefined of one that is not sealed. @throws {StateError} `ERR_STATE_CORRUPT`. */
export function readSealRecord(database: DatabaseSync, path: string): SealRecord | undefined {
  const hasTable = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'seal'`).get();
  if (hasTable === undefined) return undefined;
  const text = String(database.prepare(`SELECT record FROM seal`).get()?.['record']);
  try {
    return JSON.parse(text) as SealRecord;
  } catch (error) {
    throw new StateError('ERR_STATE_CORRUPT', path, 'what it says about its key is no JSON', {
      cause: error,
    });
  }
}

/** Within a transaction, or as one. */
export function writeSealRecord(database: DatabaseSync, record: SealRecord): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS seal (one INTEGER PRIMARY KEY CHECK (one = 1), record TEXT NOT NULL) STRICT`,
  );
  const statement = `INSERT INTO seal VALUES (1, ?) ON CONFLICT DO UPDATE SET record = excluded.record`;
  database.prepare(statement).run(JSON.stringify(record));
}

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

import { inStore, openDatabase } from '../database.ts';
import { FactoryError } from '../errors.ts';
import { readScopeClaim, type Scope } from './scopes.ts';

/** What is kept of a stored token. The token itself is not. */
export type TokenRecord = {
  readonly id: string;
  readonly subject: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly issuableScopes: readonly Scope[];
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Day of the last use, as `2026-11-23` of UTC; undefined for none. */
  readonly lastUsedOn?: string;
};

const tables = `
  CREATE TABLE IF NOT EXISTS tokens (
    id TEXT PRIMARY KEY, subject TEXT NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL, issuable_scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tokens_by_subject ON tokens (subject, created_at)`;

/** How many days are remembered before they are asked for again. */
const maxDays = 10_000;

/** A token that counts: nobody has revoked it, and its time has not come. */
const counts = 'subject = :subject AND revoked_at IS NULL AND expires_at > :now';

/** The stored tokens of all identities. What it has returned from survives a power cut, and every process that has it open knows it. */
export class TokenRecords implements Disposable {
  readonly #database: DatabaseSync;
  /** Days that are kept already, by token. */
  readonly #days = new Map<string, string>();

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @throws {FactoryError} with `ERR_FACTORY_SETUP`. */
  static async open(directory: string): Promise<TokenRecords> {
    const database = await openDatabase(directory, 'tokens.sqlite', tables);
    try {
      inStore('token', () => addLastUse(database));
      return new TokenRecords(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Keeps a record, unless its subject has `max` tokens that count. Counted and kept in one transaction: of many at once, none comes
   * through beyond the limit. Records whose time has passed go.
   *
   * @param now seconds since 1970.
   * @throws {FactoryError} with `ERR_FACTORY_TOKEN_LIMIT`, or those of a store.
   */
  add(record: TokenRecord, max: number, now: number): void {
    const { id, subject, name, scopes, issuableScopes, createdAt, expiresAt } = record;
    const database = this.#database;
    inStore('token', () => {
      database.exec('BEGIN IMMEDIATE');
      try {
        database.prepare('DELETE FROM tokens WHERE expires_at <= ?').run(now);
        const row = database
          .prepare(`SELECT count(*) AS count FROM tokens WHERE ${counts}`)
          .get({ subject, now });
        if (Number(row?.['count']) >= max)
          throw new FactoryError(
            'ERR_FACTORY_TOKEN_LIMIT',
            `${max} stored tokens are there, and no more may be: revoke one, or ask for an ephemeral one`,
          );
        database
          .prepare(
            'INSERT INTO tokens (id, subject, name, scopes, issuable_scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
          )
          .run(id, subject, name, scopes.join(' '), issuableScopes.join(' '), createdAt, expiresAt);
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** Whether a token of this ID and subject counts now. */
  has(id: string, subject: string, now: number): boolean {
    const sql = `SELECT 1 FROM tokens WHERE id = :id AND ${counts}`;
    return inStore('token', () => this.#database.prepare(sql).get({ id, subject, now })) !== undefined;
  }

  /**
   * Keeps that a token was used on a day, which costs one write a day. A store that can't keep it lets nobody wait, and nobody out: by
   * this day nothing is decided.
   */
  used(id: string, day: string): void {
    const sql =
      'UPDATE tokens SET last_used_on = :day WHERE id = :id AND (last_used_on IS NULL OR last_used_on < :day)';
    if (this.#days.get(id) === day) return;
    try {
      this.#database.prepare(sql).run({ id, day });
    } catch {
      return;
    }
    if (this.#days.size >= maxDays) this.#days.clear();
    this.#days.set(id, day);
  }

  /** Those of a subject that count, the oldest first. */
  list(subject: string, now: number): readonly TokenRecord[] {
    const sql = `SELECT * FROM tokens WHERE ${counts} ORDER BY created_at, id`;
    return inStore('token', () => this.#database.prepare(sql).all({ subject, now })).map(recordOf);
  }

  /** @returns false when the subject has no such token that counts. */
  revoke(id: string, subject: string, now: number): boolean {
    const sql = `UPDATE tokens SET revoked_at = :now WHERE id = :id AND ${counts}`;
    return inStore('token', () => this.#database.prepare(sql).run({ id, subject, now })).changes === 1;
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

function recordOf(row: Readonly<Record<string, SQLOutputValue>>): TokenRecord {
  return {
    id: String(row['id']),
    subject: String(row['subject']),
    name: String(row['name']),
    scopes: readScopeClaim(row['scopes']) ?? [],
    issuableScopes: readScopeClaim(row['issuable_scopes']) ?? [],
    createdAt: Number(row['created_at']),
    expiresAt: Number(row['expires_at']),
    ...(typeof row['last_used_on'] === 'string' ? { lastUsedOn: row['last_used_on'] } : {}),
  };
}

/** A store of an earlier version does not have it. Of two processes that begin at once, one adds it. */
function addLastUse(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  const columns = database.prepare("SELECT name FROM pragma_table_info('tokens')").all();
  if (!columns.some(({ name }) => name === 'last_used_on'))
    database.exec('ALTER TABLE tokens ADD COLUMN last_used_on TEXT');
  database.exec('COMMIT');
}

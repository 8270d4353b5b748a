import type { DatabaseSync } from 'node:sqlite';

import { inStore, inTransaction, openDatabase } from '../database.ts';
import { Days } from './days.ts';
import { notRevoked, recordOf, tooManyTokens, type TokenRecord, type TokenRecords } from './token-records.ts';

const tables = `
  CREATE TABLE IF NOT EXISTS tokens (
    id TEXT PRIMARY KEY, subject TEXT NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL, issuable_scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tokens_by_subject ON tokens (subject, created_at)`;

/** A token that counts: nobody has revoked it, and its time has not come. */
const counts = 'subject = :subject AND revoked_at IS NULL AND expires_at > :now';

/** Records of tokens in a file that only its owner reads. */
export class SqliteTokenRecords implements TokenRecords {
  readonly #database: DatabaseSync;
  readonly #days = new Days();

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @throws {FactoryError} with `ERR_FACTORY_SETUP`. */
  static async open(directory: string): Promise<SqliteTokenRecords> {
    return new SqliteTokenRecords(await openDatabase(directory, 'tokens.sqlite', tables, addLastUse));
  }

  async add(record: TokenRecord, max: number, now: number): Promise<void> {
    const { id, subject, name, scopes, issuableScopes, createdAt, expiresAt } = record;
    const database = this.#database;
    inStore('token', () =>
      inTransaction(database, () => {
        database.prepare('DELETE FROM tokens WHERE expires_at <= ?').run(now);
        const row = database
          .prepare(`SELECT count(*) AS count FROM tokens WHERE ${counts}`)
          .get({ subject, now });
        if (Number(row?.['count']) >= max) throw tooManyTokens(max);
        database
          .prepare(
            'INSERT INTO tokens (id, subject, name, scopes, issuable_scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
          )
          .run(id, subject, name, scopes.join(' '), issuableScopes.join(' '), createdAt, expiresAt);
      }),
    );
  }

  async has(id: string, subject: string, now: number): Promise<boolean> {
    const sql = `SELECT 1 FROM tokens WHERE id = :id AND ${counts}`;
    return inStore('token', () => this.#database.prepare(sql).get({ id, subject, now })) !== undefined;
  }

  async used(id: string, day: string): Promise<void> {
    const sql =
      'UPDATE tokens SET last_used_on = :day WHERE id = :id AND (last_used_on IS NULL OR last_used_on < :day)';
    if (this.#days.has(id, day)) return;
    try {
      this.#database.prepare(sql).run({ id, day });
    } catch {
      return;
    }
    this.#days.add(id, day);
  }

  async list(subject: string, now: number): Promise<readonly TokenRecord[]> {
    const sql = `SELECT * FROM tokens WHERE ${counts} ORDER BY created_at, id`;
    return inStore('token', () => this.#database.prepare(sql).all({ subject, now })).map(recordOf);
  }

  async revoke(id: string, subject: string, now: number): Promise<boolean> {
    const sql = `UPDATE tokens SET revoked_at = :now WHERE id = :id AND ${counts}`;
    const work = () => this.#database.prepare(sql).run({ id, subject, now });
    return inStore('token', work, notRevoked).changes === 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** A store of an earlier version does not have it. Of two processes that begin at once, one adds it. */
function addLastUse(database: DatabaseSync): void {
  inTransaction(database, () => {
    const columns = database.prepare("SELECT name FROM pragma_table_info('tokens')").all();
    if (!columns.some(({ name }) => name === 'last_used_on'))
      database.exec('ALTER TABLE tokens ADD COLUMN last_used_on TEXT');
  });
}

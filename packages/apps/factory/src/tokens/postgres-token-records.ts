import { lockClass } from '../postgres/migrations.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { Days } from './days.ts';
import { notRevoked, recordOf, tooManyTokens, type TokenRecord, type TokenRecords } from './token-records.ts';

const what = 'token';

/** A token of the subject `$1` that counts at `$2`. */
const counts = 'subject = $1 AND revoked_at IS NULL AND expires_at > $2';

/** Records of tokens in a database that several factories share, and that somebody else closes. */
export class PostgresTokenRecords implements TokenRecords {
  readonly #database: Postgres;
  readonly #days = new Days();

  constructor(database: Postgres) {
    this.#database = database;
  }

  async add(record: TokenRecord, max: number, now: number): Promise<void> {
    const { id, subject, name, scopes, issuableScopes, createdAt, expiresAt } = record;
    await this.#database.transaction(what, async (client) => {
      // One at a time of a subject, in all factories: what is counted is all there is.
      await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lockClass, subject]);
      await client.query(
        'DELETE FROM factory_tokens WHERE id IN (SELECT id FROM factory_tokens WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED)',
        [now],
      );
      const { rows } = await client.query<{ count: string }>(
        `SELECT count(*) AS count FROM factory_tokens WHERE ${counts}`,
        [subject, now],
      );
      if (Number(rows[0]?.count) >= max) throw tooManyTokens(max);
      await client.query(
        'INSERT INTO factory_tokens (id, subject, name, scopes, issuable_scopes, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
        [id, subject, name, scopes.join(' '), issuableScopes.join(' '), createdAt, expiresAt],
      );
    });
  }

  async has(id: string, subject: string, now: number): Promise<boolean> {
    const text = `SELECT 1 FROM factory_tokens WHERE id = $3 AND ${counts}`;
    const values = [subject, now, id];
    return (await this.#database.query({ what, text, values, isRepeatable: true })).count === 1;
  }

  async used(id: string, day: string): Promise<void> {
    const text =
      'UPDATE factory_tokens SET last_used_on = $2 WHERE id = $1 AND (last_used_on IS NULL OR last_used_on < $2)';
    if (this.#days.has(id, day)) return;
    try {
      await this.#database.query({ what, text, values: [id, day], isRepeatable: true });
    } catch {
      return;
    }
    this.#days.add(id, day);
  }

  async list(subject: string, now: number): Promise<readonly TokenRecord[]> {
    const text = `SELECT * FROM factory_tokens WHERE ${counts} ORDER BY created_at, id COLLATE "C"`;
    const { rows } = await this.#database.query({ what, text, values: [subject, now], isRepeatable: true });
    return rows.map((row) => recordOf(row));
  }

  async revoke(id: string, subject: string, now: number): Promise<boolean> {
    const text = `UPDATE factory_tokens SET revoked_at = $2 WHERE id = $3 AND ${counts}`;
    // An address may have any byte in it, and a text of PostgreSQL has no zero.
    if (id.includes('\0')) return false;
    const asked = { what, text, values: [subject, now, id], noRoom: notRevoked };
    return (await this.#database.query(asked)).count === 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

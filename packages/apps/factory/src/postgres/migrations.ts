import type { ClientBase } from 'pg';

import { wrong } from '../settings.ts';

/** Class of the locks that factories take in a database; others' are not met. */
export const lockClass = 0x6e_63_66_70;
/** Of those by which factories make the same thing one after the other. */
export const turnClass: number = lockClass + 1;
/** Of the one by which records of requests are numbered. */
export const auditClass: number = lockClass + 2;

/** What makes each version of the tables out of the one before. What has been released is never changed. */
const steps: readonly string[] = [
  `
  CREATE TABLE factory_schematics (
    id text PRIMARY KEY, text text NOT NULL, created timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE factory_tokens (
    id text PRIMARY KEY, subject text NOT NULL, name text NOT NULL, scopes text NOT NULL, issuable_scopes text NOT NULL,
    created_at bigint NOT NULL, expires_at bigint NOT NULL, revoked_at bigint, last_used_on text
  );
  CREATE INDEX factory_tokens_by_subject ON factory_tokens (subject, created_at);
  CREATE INDEX factory_tokens_by_end ON factory_tokens (expires_at)`,
  `
  CREATE TABLE factory_audit (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, factory uuid NOT NULL, entry bigint NOT NULL, time timestamptz NOT NULL,
    request_id text NOT NULL, username text NOT NULL, client_ip text NOT NULL, method text NOT NULL, path text NOT NULL,
    status integer NOT NULL, duration double precision, error text NOT NULL, lost integer, UNIQUE (factory, entry)
  );
  CREATE INDEX factory_audit_by_time ON factory_audit (time)`,
  `
  CREATE INDEX factory_schematics_by_owner ON factory_schematics (split_part(text, E'\\n', 1), id)
    WHERE text LIKE 'owner: %'`,
];

/**
 * Makes the tables, or brings them to this version. Of several factories that begin at once one does, and the others wait for it.
 *
 * @param client in a transaction.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP` for tables of a newer version, which are left alone.
 */
export async function migrate(client: ClientBase): Promise<void> {
  const { rows: encodings } = await client.query<{ encoding: string }>(
    "SELECT current_setting('server_encoding') AS encoding",
  );
  const encoding = encodings[0]?.encoding;
  if (encoding !== 'UTF8')
    throw wrong(`storage.postgres.url: the database is in ${encoding}, and texts are in UTF8`);
  await client.query('SELECT pg_advisory_xact_lock($1, 0)', [lockClass]);
  await client.query('CREATE TABLE IF NOT EXISTS factory_version (version integer NOT NULL)');
  const { rows } = await client.query<{ version: number }>('SELECT version FROM factory_version');
  const found = rows[0]?.version ?? 0;
  if (found > steps.length)
    throw wrong(
      `storage.postgres.url: the tables have version ${found}, of a newer nodecore-factory; this one knows ${steps.length}`,
    );
  for (const step of steps.slice(found)) await client.query(step);
  if (found === steps.length) return;
  await client.query('DELETE FROM factory_version');
  await client.query('INSERT INTO factory_version VALUES ($1)', [steps.length]);
}

import type { AuditRecord } from './audit-log.ts';

/** A record as the table has it. */
export type WrittenRow = Omit<AuditRecord, 'duration'> & {
  /** Its number among those of one start of a factory. */
  readonly entry: number;
  /** Null until the answer has gone. */
  readonly duration: number | null;
  /** How many records the log does not have. */
  readonly lost?: number;
};

/**
 * Writes records `$3` of the factory `$2`, or what has become of them. Of several factories one does at a time, by the lock: a number that is
 * there is below all that come, so who reads on behind the last one misses none.
 */
export const writeText = `
WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock($1, 0)),
given AS (
  SELECT given.* FROM turn, json_to_recordset($3) AS given (
    entry bigint, time timestamptz, request_id text, username text, client_ip text, method text, path text,
    status integer, duration double precision, error text, lost integer
  )
),
known AS (
  UPDATE factory_audit AS written SET status = given.status, duration = given.duration, error = given.error
  FROM given WHERE written.factory = $2 AND written.entry = given.entry RETURNING written.entry
)
INSERT INTO factory_audit
  (factory, entry, time, request_id, username, client_ip, method, path, status, duration, error, lost)
SELECT $2, entry, time, request_id, username, client_ip, method, path, status, duration, error, lost
FROM given WHERE entry NOT IN (SELECT entry FROM known) ORDER BY entry
ON CONFLICT (factory, entry) DO UPDATE SET status = excluded.status, duration = excluded.duration, error = excluded.error`;

/** Takes away at most `$2` of the records before `$1`; two factories do not wait for each other. */
export const pruneText = `
DELETE FROM factory_audit WHERE number IN (
  SELECT number FROM factory_audit WHERE time < $1 ORDER BY time LIMIT $2 FOR UPDATE SKIP LOCKED
)`;

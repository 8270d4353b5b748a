import { program, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import type { PostgresOptions } from '../src/postgres/postgres-options.ts';
import { openRecords, type Records } from '../src/records.ts';
import { type PostgresServer, postgresServer } from './postgres-server.ts';

export const withServer = testWith(program('postgres'), program('initdb'));

const ends: (() => unknown)[] = [];
let shared: Promise<PostgresServer> | undefined;
test.after.always(async () => {
  for (const end of ends.toReversed()) await end();
});

/** For tests with databases of their own: to make a server takes longer than most of what it is asked. */
export function sharedServer(): Promise<PostgresServer> {
  return (shared ??= postgresServer({ teardown: (end) => void ends.push(end) }));
}

/** Records that are closed when the test ends. */
export async function recordsOf(t: ExecutionContext, postgres: PostgresOptions): Promise<Records> {
  const records = await openRecords('/nowhere', { postgres });
  t.teardown(() => records[Symbol.asyncDispose]());
  return records;
}

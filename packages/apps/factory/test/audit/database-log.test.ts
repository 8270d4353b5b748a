import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { Clock } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';

import type { AuditRecord } from '../../src/audit/audit-log.ts';
import { DatabaseLog } from '../../src/audit/database-log.ts';
import { writeText } from '../../src/audit/database-rows.ts';
import { FactoryError } from '../../src/errors.ts';
import { auditClass } from '../../src/postgres/migrations.ts';
import { Postgres, type Statement } from '../../src/postgres/postgres.ts';
import { type PostgresServer, postgresServer } from '../postgres-server.ts';
import { defaultSchematic, factoryOptions } from '../running-factory.ts';

const withServer = testWith(program('postgres'), program('initdb'));
const ends: (() => unknown)[] = [];
let shared: Promise<PostgresServer> | undefined;
test.after.always(async () => {
  for (const end of ends.toReversed()) await end();
});

/** For tests that leave it running. */
function sharedServer(): Promise<PostgresServer> {
  return (shared ??= postgresServer({ teardown: (end) => void ends.push(end) }));
}

const bin = join(import.meta.dirname, '../../bin/nodecore-factory.js');

const record = (path: string): AuditRecord => ({
  time: '2026-11-23T15:44:19.000Z',
  request_id: 'r',
  username: 'ann',
  client_ip: '127.0.0.1',
  method: 'GET',
  path,
  status: 200,
  duration: 0.5,
  error: '',
});

type Row = Readonly<Record<string, unknown>>;
const rowsOf = async (
  server: PostgresServer,
  { more = '', database = 'factory' } = {},
): Promise<readonly Row[]> =>
  await server.sql(`SELECT * FROM factory_audit ${more} ORDER BY number`, database);

async function logOf(
  t: ExecutionContext,
  server: PostgresServer,
  { maxAgeDays = 0, warn = (line: string): void => t.log(line) } = {},
): Promise<DatabaseLog> {
  const database = await Postgres.open({ url: server.url() });
  const log = new DatabaseLog(database, { maxAgeDays }, warn);
  t.teardown(async () => {
    await log.close();
    await database[Symbol.asyncDispose]();
  });
  return log;
}

withServer(
  'factories have one log, in which each record is before its answer goes and has its end afterwards, and who reads on misses none',
  async (t) => {
    const server = await sharedServer();
    const [a, b] = [await logOf(t, server), await logOf(t, server)];
    const request = {};
    await a.answering(request, record('/a'));
    t.like((await rowsOf(server))[0], { path: '/a', status: 200, duration: null, username: 'ann' });
    a.ended(request, { ...record('/a'), status: 499, error: 'ERR_FACTORY_INPUT' });
    await a.answering({}, record('/b')); // what had been there before is written by then
    t.like((await rowsOf(server))[0], { path: '/a', status: 499, duration: 0.5, error: 'ERR_FACTORY_INPUT' });

    // Somebody writes and has not committed: what comes after it waits, and is numbered after it.
    const slow = new Client({ host: server.directory, user: 'factory', database: 'factory' });
    await slow.connect();
    const row = JSON.stringify([{ ...record('/slow'), entry: 1 }]);
    await slow.query('BEGIN');
    await slow.query(writeText, [auditClass, '00000000-0000-4000-8000-000000000000', row]);
    const late = { done: false };
    const written = b.answering({}, record('/late')).then(() => (late.done = true));
    const waiting =
      "SELECT 1 FROM pg_locks JOIN pg_database AS here ON here.oid = database WHERE datname = 'factory' AND locktype = 'advisory' AND NOT granted";
    while (!late.done && (await server.sql(waiting, 'factory')).length === 0);
    t.false(late.done);
    await slow.query('COMMIT');
    await slow.end();
    await written;
    const paths = (await rowsOf(server)).map(({ path }) => path);
    t.deepEqual(paths, ['/a', '/b', '/slow', '/late']);
    const numbers = (await rowsOf(server)).map(({ number }) => Number(number));
    t.deepEqual(numbers, [1, 2, 3, 4]);

    // Many at once, of both, while somebody reads on behind the last one that was there.
    const before = (await rowsOf(server)).at(-1)?.['number'];
    const seen: Row[] = [];
    const readOn = async (): Promise<void> => {
      const last = String(seen.at(-1)?.['number'] ?? before);
      seen.push(...(await rowsOf(server, { more: `WHERE number > ${last}` })));
    };
    const answered = { count: 0 };
    const all = [a, b].flatMap((log, which) =>
      Array.from({ length: 300 }, async (_, index) => {
        await log.answering({}, record(`/${which}/${index}`));
        answered.count += 1;
      }),
    );
    while (answered.count < all.length) await readOn();
    await readOn();
    t.is(new Set(seen.map(({ path }) => path)).size, 600);
    const entries = (factory: unknown): readonly number[] =>
      seen.filter((one) => one['factory'] === factory).map(({ entry }) => Number(entry));
    for (const factory of new Set(seen.map((one) => one['factory']))) {
      const found = entries(factory).toSorted((x, y) => x - y);
      t.deepEqual(
        found,
        found.map((_, index) => (found[0] ?? 0) + index),
      );
    }
    t.is(a.written + b.written, 603);
  },
);

withServer(
  'no text keeps others out of the log, old records go, and while the database is away records wait for it',
  async (t) => {
    const server = await postgresServer(t);
    const lines: string[] = [];
    const log = await logOf(t, server, { warn: (line) => void lines.push(line) });
    await log.answering(
      {},
      { ...record(`/\0\ud800'"\\\u001b[31m`), username: '$1; DROP TABLE factory_audit' },
    );
    const hostile = await rowsOf(server);
    t.like(hostile[0], { path: `/\uFFFD\uFFFD'"\\\u001b[31m`, username: '$1; DROP TABLE factory_audit' });

    const request = {};
    await log.answering(request, record('/begun'));
    await server.stop();
    log.ended(request, record('/begun'));
    await log.answering({}, record('/away'));
    await Promise.all(Array.from({ length: 50 }, async () => await log.answering({}, record('/many'))));
    t.is(log.lost, 0);
    await server.start();
    while (log.written < 53) await new Promise((resolve) => setImmediate(resolve));
    t.deepEqual(lines, [
      'audit: the store of records fails: ENOENT: up to 4096 records wait, and more are lost, until it is better',
      'audit: written again; 0 records were lost',
    ]);
    const rows = await rowsOf(server);
    t.is(rows.length, 53);
    t.like(rows[1], { path: '/begun', duration: 0.5 });
    t.deepEqual(
      rows.map(({ entry }) => Number(entry)),
      rows.map((_, index) => index + 1),
    );

    await server.sql(
      "UPDATE factory_audit SET time = now() - interval '2 days' WHERE entry <= 10",
      'factory',
    );
    await server.sql('UPDATE factory_audit SET time = now() WHERE entry > 10', 'factory');
    await (await logOf(t, server, { maxAgeDays: 3 })).close();
    t.is((await rowsOf(server)).length, 53);
    const pruning = await logOf(t, server, { maxAgeDays: 1 });
    await pruning.answering({}, { ...record('/new'), time: new Date().toISOString() });
    await pruning.close();
    t.is((await rowsOf(server)).length, 44);
  },
);

withServer(
  'a factory that is killed has answered nobody of whom the log does not know, and the log has no secret',
  async (t) => {
    const server = await sharedServer();
    const { directory, releases, releaseKeys, storage } = await factoryOptions(t);
    const key = join(await temporaryDirectory(t), 'key.pem');
    const made = spawn('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key], { stdio: 'ignore' });
    await once(made, 'exit');
    const configuration = join(directory, 'factory.yaml');
    await writeFile(
      configuration,
      JSON.stringify({
        audit: { mode: 'postgres' },
        storage: { postgres: { url: await server.create('killed') } },
        installer: { signingKeyPath: key },
      }),
    );
    const words = ['serve', '--config', configuration, '--listen', '127.0.0.1:0', '--releases', releases];
    const more = ['--release-key', releaseKeys[0] ?? '', '--storage', storage];
    const child = spawn(process.execPath, ['--conditions=source', bin, ...words, ...more], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.teardown(() => void child.kill('SIGKILL'));
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => {
        said.push(line);
        const [url] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(line) ?? [];
        if (url !== undefined) resolve(url);
      });
    child.once('exit', () => reject(new Error(said.join('\n'))));
    const url = await promise;
    await fetch(`${url}/schematics`, { method: 'POST', body: '{}' });

    // Whoever has the first line of an answer is in the log, however soon the factory is killed then.
    const answered: string[] = [];
    const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJodW50ZXIyIn0.c2lnbmF0dXJl';
    const ask = async (index: number): Promise<void> => {
      const id = `ask-${index}`;
      const path = index % 2 === 0 ? '/versions' : `/image/${defaultSchematic}/v1.14.0/metal-amd64.raw`;
      const headers = { 'x-request-id': id, authorization: 'Bearer hunter2' };
      const sent = get(`${url}${path}?token=${token}`, { headers, agent: false });
      t.teardown(() => void sent.destroy());
      const { promise: done, resolve: finish } = Promise.withResolvers<void>();
      sent.on('error', finish).once('response', (response) => {
        response.on('error', () => {}); // nothing more of it is read
        answered.push(id);
        if (answered.length === 60) child.kill('SIGKILL');
        finish();
      });
      await done;
    };
    await Promise.all(Array.from({ length: 100 }, async (_, index) => await ask(index)));
    t.true(answered.length >= 60);
    const rows = await rowsOf(server, { database: 'killed' });
    const known = new Set(rows.map((row) => row['request_id']));
    t.deepEqual(
      answered.filter((id) => !known.has(id)),
      [],
    );
    t.true(
      rows.some(({ duration }) => duration === null),
      'what was being sent has no end',
    );
    const text = JSON.stringify(rows);
    for (const secret of ['hunter2', 'eyJ', 'c2lnbmF0dXJl']) t.false(text.includes(secret), secret);
  },
);

/** A database that answers when it is told to. */
function slowDatabase() {
  const asked: { readonly rows: readonly Row[]; readonly end: (error?: Error) => void }[] = [];
  const query = async ({ values = [] }: Statement) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const rows = JSON.parse(String(values[2])) as readonly Row[];
    asked.push({ rows, end: (error) => (error === undefined ? resolve() : reject(error)) });
    await promise;
    return { rows: [], count: rows.length };
  };
  return { asked, query };
}

const away = new FactoryError('ERR_FACTORY_STORE', 'the store of records fails: ECONNREFUSED');

test('records that no database has taken are lost above a number, counted, and told of in the log', async (t) => {
  const database = slowDatabase();
  const lines: string[] = [];
  const sleeps: (() => void)[] = [];
  const clock: Clock = {
    now: () => 0,
    sleep: async (_ms, signal) =>
      await new Promise((resolve, reject) => {
        sleeps.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  };
  const log = new DatabaseLog(database, { maxAgeDays: 0 }, (line) => void lines.push(line), clock);
  const first = log.answering({}, record('/first'));
  database.asked[0]!.end(away);
  await first; // it goes, whatever becomes of its record
  for (let index = 0; index < 5_000; index += 1) log.ended({}, record(`/${index}`));
  t.is(log.lost, 5_001 - 4_096);
  sleeps.at(-1)!();
  while (log.written < 4_097) {
    await new Promise((resolve) => setImmediate(resolve));
    database.asked.at(-1)!.end();
  }
  const gap = database.asked.at(-1)!.rows.find(({ error }) => error === 'ERR_FACTORY_AUDIT_LOST');
  const told = database.asked.flatMap(({ rows }) => rows).find(({ lost }) => lost !== undefined);
  t.like(gap ?? told, { error: 'ERR_FACTORY_AUDIT_LOST', lost: 905, entry: 4_097 });
  t.regex(
    lines.join('\n'),
    /^audit: the store of records fails: ECONNREFUSED: .*\naudit: written again; 905 records were lost$/,
  );

  // What is left when it is over is tried once.
  log.ended({}, record('/last'));
  const closed = log.close();
  database.asked.at(-1)!.end(away);
  await closed;
  t.is(log.lost, 906);
  t.regex(lines.at(-1)!, /^audit: 1 records are lost: the database has not taken them until the end$/);
});

test('an answer waits for its record as long as a database may take, and then no other does', async (t) => {
  const database = slowDatabase();
  let late: (() => void) | undefined;
  const clock: Clock = {
    now: () => 0,
    sleep: async (_ms, signal) =>
      await new Promise((resolve) => {
        late = resolve;
        signal?.addEventListener('abort', () => resolve());
      }),
  };
  const log = new DatabaseLog(database, { maxAgeDays: 0 }, () => {}, clock);
  let isGone = false;
  const request = {};
  const answer = log.answering(request, record('/a')).then(() => (isGone = true));
  await new Promise((resolve) => setImmediate(resolve));
  t.false(isGone);
  late?.();
  await answer;
  await log.answering({}, record('/b'));
  // It has ended while it was being written: what became of it is written after that.
  log.ended(request, { ...record('/a'), status: 499 });
  database.asked[0]!.end();
  while (database.asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(
    database.asked[1]!.rows.map(({ path, status, duration }) => [path, status, duration]),
    [
      ['/b', 200, null],
      ['/a', 499, 0.5],
    ],
  );
  database.asked[1]!.end();
  await new Promise((resolve) => setImmediate(resolve));
  t.is(log.written, 2);
  t.is(log.lost, 0);

  // Nor does the end of the factory wait for longer than some seconds.
  void log.answering({}, record('/c'));
  const lost = log.close().then(() => log.lost);
  await new Promise((resolve) => setImmediate(resolve));
  late?.();
  t.is(await lost, 1);
  database.asked[2]!.end(away);
});

test('records go on being written after a moment in which what had waited was written with others', async (t) => {
  const database = slowDatabase();
  const lingering: (() => void)[] = [];
  const clock: Clock = {
    now: () => 0,
    sleep: async (ms, signal) =>
      await new Promise((resolve) => {
        if (ms < 1_000) lingering.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      }),
  };
  const log = new DatabaseLog(database, { maxAgeDays: 0 }, (line) => t.log(line), clock);
  const request = {};
  for (const [index, path] of ['/a', '/b', '/c'].entries()) {
    const answer = log.answering(path === '/a' ? request : {}, record(path));
    t.is(database.asked.length, index + 1, path);
    database.asked[index]!.end();
    await answer;
    if (path === '/a') log.ended(request, record(path));
    else lingering.pop()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.is(database.asked[1]!.rows.length, 2);
  await log.close();
  t.is(log.lost, 0);
});

import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { createCA, issueServer } from '@nodecore/pki';
import { codeOf } from '@nodecore/sys';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import { Postgres } from '../src/postgres/postgres.ts';
import type { PostgresOptions } from '../src/postgres/postgres-options.ts';
import { openRecords, type Records } from '../src/records.ts';
import { type PostgresServer, postgresServer } from './postgres-server.ts';

const withServer = testWith(program('postgres'), program('initdb'));

const ends: (() => unknown)[] = [];
let shared: Promise<PostgresServer> | undefined;
test.after.always(async () => {
  for (const end of ends.toReversed()) await end();
});

/** For tests with databases of their own: to make a server takes longer than most of what it is asked. */
function sharedServer(): Promise<PostgresServer> {
  return (shared ??= postgresServer({ teardown: (end) => void ends.push(end) }));
}

async function recordsOf(t: ExecutionContext, postgres: PostgresOptions): Promise<Records> {
  const records = await openRecords('/nowhere', { postgres });
  t.teardown(() => records[Symbol.asyncDispose]());
  return records;
}

async function refusalOf(options: PostgresOptions): Promise<string> {
  try {
    await using _open = await Postgres.open(options);
    return 'opened';
  } catch (error) {
    return `${codeOf(error)}: ${error instanceof Error ? error.message : ''}`;
  }
}

withServer(
  'tables are made once, by whoever comes first, and those of a newer version are left alone',
  async (t) => {
    const server = await sharedServer();
    const url = await server.create('many');
    const all = await Promise.all(Array.from({ length: 8 }, () => Postgres.open({ url })));
    await Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
    t.deepEqual(await server.sql('SELECT version FROM factory_version', 'many'), [{ version: 2 }]);

    await server.sql('UPDATE factory_version SET version = 3', 'many');
    const before = await server.sql(
      "SELECT relname FROM pg_class WHERE relkind IN ('r', 'i') ORDER BY 1",
      'many',
    );
    t.is(
      await refusalOf({ url }),
      'ERR_FACTORY_SETUP: storage.postgres.url: the tables have version 3, of a newer nodecore-factory; this one knows 2',
    );
    const after = await server.sql(
      "SELECT relname FROM pg_class WHERE relkind IN ('r', 'i') ORDER BY 1",
      'many',
    );
    t.deepEqual(after, before);
  },
);

withServer('what keeps a factory from a database is said by the key that is wrong', async (t) => {
  const server = await sharedServer();
  const url = server.url();
  await server.create('old', "ENCODING 'LATIN1' TEMPLATE template0");
  await server.create('others');
  await server.sql('REVOKE CREATE ON SCHEMA public FROM public; ALTER DATABASE others OWNER TO owner');
  await server.sql('REVOKE ALL ON SCHEMA public FROM public, factory', 'others');
  await server.create('fixed');
  await server.sql('ALTER DATABASE fixed SET default_transaction_read_only = on');
  const at = server.directory;
  const nobody = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void nobody.close());
  const { port } = nobody.address() as { readonly port: number };
  const cases: readonly (readonly [PostgresOptions, string])[] = [
    [{ url: 'postgresql://u@%2Fnowhere/factory' }, 'storage.postgres.url: /nowhere: ENOENT'],
    [{ url: server.url('other') }, `storage.postgres.url: ${at} has no database other`],
    [{ url: server.url('factory', 'eve') }, `storage.postgres.url: ${at} does not let eve into factory`],
    [{ url: server.url('old') }, 'storage.postgres.url: the database is in LATIN1, and texts are in UTF8'],
    [{ url: server.url('others') }, 'storage.postgres.url: factory may not make tables in others'],
    [{ url: server.url('fixed') }, `storage.postgres.url: ${at} is a copy that can only be read`],
    [{ url, passwordPath: '/nowhere/password' }, 'storage.postgres.passwordPath: /nowhere/password: ENOENT'],
    [
      { url: `postgresql://u:hunter2@127.0.0.1:${port}/factory?sslmode=verify-full` },
      `storage.postgres.url: 127.0.0.1:${port}: is no PostgreSQL, or does not speak TLS`,
    ],
    [
      { url: 'postgresql://u@127.0.0.1:1/factory', caPath: '/nowhere/ca' },
      'storage.postgres.caPath: /nowhere/ca: ENOENT',
    ],
    [
      { url: 'postgresql://u:hunter2@127.0.0.1:1/factory' },
      'storage.postgres.url: 127.0.0.1:1: ECONNREFUSED',
    ],
  ];
  for (const [options, message] of cases) t.is(await refusalOf(options), `ERR_FACTORY_SETUP: ${message}`);
});

withServer(
  'with TLS the server is proven by its authority, and a new password counts without a restart',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const [authority, other] = [await createCA('kvstore'), await createCA('kvstore')];
    const server = await postgresServer(t, async (host) => {
      const { crt, key } = await issueServer(authority, { names: [host] });
      const text = Buffer.from(key.bytes).toString();
      key[Symbol.dispose]();
      return { certificate: crt, key: text };
    });
    const [caPath, wrongPath, passwordPath] = ['ca.crt', 'other.crt', 'password'].map((name) =>
      join(directory, name),
    ) as [string, string, string];
    await writeFile(caPath, authority.crt);
    await writeFile(wrongPath, other.crt);
    for (const { key } of [authority, other]) key[Symbol.dispose]();
    await writeFile(passwordPath, 'hunter2\n');
    await server.sql("ALTER ROLE factory PASSWORD 'hunter2'");
    const url = `postgresql://factory@${server.host}/factory`;
    const records = await recordsOf(t, { url, caPath, passwordPath });
    await records.schematics.put('a', 'text');
    const tls =
      'SELECT count(*)::int AS count FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND usename = $$factory$$';
    t.deepEqual(await server.sql(tls), [{ count: 1 }]);

    t.regex(
      await refusalOf({ url, caPath: wrongPath, passwordPath }),
      /SETUP: storage\.postgres\.caPath: the certificate of/,
    );
    const named = `postgresql://factory@localhost:${await cutting(t, server.host)}/factory`;
    t.regex(await refusalOf({ url: named, caPath, passwordPath }), /caPath: .*ERR_TLS_CERT_ALTNAME_INVALID$/);
    t.regex(
      await refusalOf({ url: `${url}?sslmode=disable`, passwordPath }),
      /storage\.postgres\.url: .* does not let factory in/,
    );

    await server.sql("ALTER ROLE factory PASSWORD 'correct horse'");
    const at = `${server.host}:5432`;
    t.is(
      await refusalOf({ url, caPath, passwordPath }),
      `ERR_FACTORY_SETUP: storage.postgres.passwordPath: ${at} does not take the password of factory`,
    );
    t.is(
      await refusalOf({ url: url.replace('factory@', 'factory:hunter2@'), caPath }),
      `ERR_FACTORY_SETUP: storage.postgres.url: ${at} does not take the password of factory`,
    );
    await server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'factory'");
    await t.throwsAsync(records.schematics.get('a'), { code: 'ERR_FACTORY_STORE' });
    await writeFile(passwordPath, 'correct horse\n');
    t.is(await records.schematics.get('a'), 'text');
  },
);

/** Passes bytes on to PostgreSQL until told to cut, and then ends all connections. @returns its port. */
async function cutting(t: ExecutionContext, host: string): Promise<number> {
  const proxy = createServer((near) => {
    const far = connect(5432, host);
    for (const [one, two] of [[near, far] as const, [far, near] as const])
      one
        .on('error', () => two.destroy())
        .on('close', () => two.destroy())
        .pipe(two);
  });
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
  t.teardown(() => void proxy.close());
  return (proxy.address() as { readonly port: number }).port;
}

withServer(
  'a server that is killed and comes back has all that was answered, and nothing waits for it',
  async (t) => {
    const server = await postgresServer(t);
    const records = await recordsOf(t, { url: server.url() });
    for (let index = 0; index < 20; index += 1) await records.schematics.put(`id-${index}`, 'text');
    const late = Array.from({ length: 20 }, (_, index) => records.schematics.put(`late-${index}`, 'text'));
    await server.stop('SIGQUIT');
    const answered = await Promise.allSettled(late);
    for (const one of answered) if (one.status === 'rejected') t.is(codeOf(one.reason), 'ERR_FACTORY_STORE');
    t.false(await records.isAnswering());
    await t.throwsAsync(records.schematics.get('id-0'), { code: 'ERR_FACTORY_STORE', message: /: ENOENT$/ });
    const tokens = await records.tokens();
    await t.throwsAsync(tokens.has('a', 'b', 0), { code: 'ERR_FACTORY_STORE' });
    await tokens.used('a', '2026-11-23');
    await server.start();
    t.true(await records.isAnswering());
    for (let index = 0; index < 20; index += 1) {
      t.is(await records.schematics.get(`id-${index}`), 'text');
      if (answered[index]!.status === 'fulfilled')
        t.is(await records.schematics.get(`late-${index}`), 'text');
    }
  },
);

/** A socket beside the server's that passes bytes on until it is told to be silent, and then does not even hang up. */
async function silencing(
  t: ExecutionContext,
  server: PostgresServer,
): Promise<{ readonly url: string; readonly silence: () => void; readonly asked: Promise<void> }> {
  const directory = await temporaryDirectory(t);
  const asked = Promise.withResolvers<void>();
  let isSilent = false;
  const sockets: Socket[] = [];
  const proxy = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(join(server.directory, '.s.PGSQL.5432'));
    sockets.push(
      near.on('error', () => {}),
      far.on('error', () => {}),
    );
    near.on('data', (bytes: Buffer) => (isSilent ? asked.resolve() : far.write(bytes)));
    far.on('data', (bytes: Buffer) => void (isSilent || near.write(bytes)));
  });
  await new Promise<void>((resolve) => proxy.listen(join(directory, '.s.PGSQL.5432'), resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const url = `postgresql://factory@${encodeURIComponent(directory)}/factory`;
  return { url, silence: () => void (isSilent = true), asked: asked.promise };
}

withServer('the end waits 3 s for a server that is silent, says so, and gives it up', async (t) => {
  t.timeout(30_000, 'it is not given up');
  const server = await sharedServer();
  const { url, silence, asked } = await silencing(t, server);
  const clock = new FakeClock();
  const lines: string[] = [];
  const said = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const warn = (line: string): void => said[lines.push(line) - 1]?.resolve();
  const database = await Postgres.open({ url }, { clock, warn });
  const select = { what: 'schematic', text: 'SELECT 1', isRepeatable: true };
  // Two connections: one that nobody uses when the silence begins, and one that waits for an answer.
  await Promise.all([database.query(select), database.query(select)]);
  silence();
  const late = t.throwsAsync(database.query(select), { code: 'ERR_FACTORY_STORE' });
  await asked;
  const ended = database[Symbol.asyncDispose]();
  clock.advance(250);
  await said[0].promise;
  clock.advance(2_999);
  t.is(lines.length, 1);
  clock.advance(1);
  await said[1].promise;
  await Promise.all([ended, late]);
  const at = `storage.postgres.url: ${decodeURIComponent(new URL(url).host)}`;
  t.deepEqual(lines, [
    `${at}: waits up to 3 s for 2 connections to end`,
    `${at}: is silent: 2 connections are given up`,
  ]);
});

withServer('the end of a server that answers waits for its answers, without a word', async (t) => {
  const server = await sharedServer();
  const clock = new FakeClock();
  const warn = (line: string): void => t.fail(line);
  const database = await Postgres.open({ url: server.url() }, { clock, warn });
  const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answer = database.transaction('schematic', async (client) => {
    begun.resolve();
    await goesOn.promise;
    return (await client.query('SELECT 7 AS seven')).rows as unknown;
  });
  await begun.promise;
  const ended = database[Symbol.asyncDispose]();
  goesOn.resolve();
  await ended;
  t.deepEqual(await answer, [{ seven: 7 }]);
  t.is(clock.sleepers, 0);
});

/** A socket beside the server's, which ends each connection when the client has sent what is matched. */
async function cutBefore(t: ExecutionContext, server: PostgresServer, pattern: RegExp): Promise<string> {
  const directory = await temporaryDirectory(t);
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(join(server.directory, '.s.PGSQL.5432'));
    for (const one of [near, far]) sockets.add(one.on('error', () => {}));
    far.on('close', () => near.destroy()).pipe(near);
    near.on('close', () => far.destroy());
    near.on('data', (bytes: Buffer) =>
      pattern.test(bytes.toString('latin1')) ? near.destroy() : far.write(bytes),
    );
  });
  await new Promise<void>((resolve) => proxy.listen(join(directory, '.s.PGSQL.5432'), resolve));
  t.teardown(() => {
    sockets.forEach((one) => one.destroy());
    proxy.close();
  });
  return `postgresql://factory@${encodeURIComponent(directory)}/factory`;
}

withServer(
  'a connection that is cut in the middle leaves nothing half, and the next request has another one',
  async (t) => {
    const server = await sharedServer();
    for (const pattern of [/BEGIN/, /count\(\*\)/, /INSERT INTO factory_tokens/, /COMMIT/]) {
      const whole = await recordsOf(t, { url: server.url() });
      const direct = await whole.tokens();
      // The tables are made without a cut: their transaction has the same words.
      const cut = await Postgres.open({ url: server.url() }).then(async (database) => {
        await database[Symbol.asyncDispose]();
        return cutBefore(t, server, pattern);
      });
      const record = {
        id: String(pattern),
        subject: 'ann',
        name: 'n',
        scopes: [],
        issuableScopes: [],
        createdAt: 1,
        expiresAt: 9,
      };
      const add = async (): Promise<void> => {
        const records = await recordsOf(t, { url: cut });
        await (await records.tokens()).add(record, 10, 1);
      };
      const expected = /BEGIN|COMMIT/.test(pattern.source) ? 'ERR_FACTORY_SETUP' : 'ERR_FACTORY_STORE';
      await t.throwsAsync(add(), { code: expected });
      t.deepEqual(await direct.list('ann', 1), [], pattern.source);
      await direct.add(record, 1, 1);
      t.true(await direct.revoke(record.id, 'ann', 1));
    }
  },
);

withServer('an error of the database has nothing of what was to be kept', async (t) => {
  const server = await sharedServer();
  const records = await recordsOf(t, { url: await server.create('failing') });
  await server.sql("ALTER TABLE factory_schematics ADD CHECK (text <> 'jointoken=hunter2')", 'failing');
  const error = await t.throwsAsync(records.schematics.put('a', 'jointoken=hunter2'), {
    code: 'ERR_FACTORY_STORE',
    message: 'the store of schematics fails: SQLSTATE 23514',
  });
  t.notRegex(inspect(error, { depth: 9, showHidden: true }), /hunter2/);
  await server.sql(
    `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$;
     CREATE TRIGGER no_room BEFORE INSERT ON factory_schematics EXECUTE FUNCTION no_room()`,
    'failing',
  );
  await t.throwsAsync(records.schematics.put('b', 'text'), { code: 'ERR_FACTORY_STORE_FULL' });
  t.is(await records.schematics.get('b'), undefined);
});

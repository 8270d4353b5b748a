import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { createCA, issueServer } from '@nodecore/pki';
import { codeOf } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { Postgres } from '../src/postgres/postgres.ts';
import type { PostgresOptions } from '../src/postgres/postgres-options.ts';
import { recordsOf, sharedServer, withServer } from './postgres-records.ts';
import { postgresServer } from './postgres-server.ts';

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
    t.deepEqual(await server.sql('SELECT version FROM factory_version', 'many'), [{ version: 3 }]);

    await server.sql('UPDATE factory_version SET version = 4', 'many');
    const before = await server.sql(
      "SELECT relname FROM pg_class WHERE relkind IN ('r', 'i') ORDER BY 1",
      'many',
    );
    t.is(
      await refusalOf({ url }),
      'ERR_FACTORY_SETUP: storage.postgres.url: the tables have version 4, of a newer nodecore-factory; this one knows 3',
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
     CREATE TRIGGER no_room BEFORE INSERT ON factory_schematics EXECUTE FUNCTION no_room();
     CREATE TRIGGER no_room BEFORE UPDATE ON factory_tokens EXECUTE FUNCTION no_room()`,
    'failing',
  );
  await t.throwsAsync((await records.tokens()).revoke('a', 'ann', 1), {
    code: 'ERR_FACTORY_STORE_FULL',
    message: 'no room to record that the token is revoked: it still holds',
  });
  await t.throwsAsync(records.schematics.put('b', 'text'), { code: 'ERR_FACTORY_STORE_FULL' });
  t.is(await records.schematics.get('b'), undefined);
});

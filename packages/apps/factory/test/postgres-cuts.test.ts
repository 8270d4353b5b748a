import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import type { ExecutionContext } from 'ava';

import { Postgres } from '../src/postgres/postgres.ts';
import { recordsOf, sharedServer, withServer } from './postgres-records.ts';
import { type PostgresServer, postgresServer } from './postgres-server.ts';

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

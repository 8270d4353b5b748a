import dns from 'node:dns/promises';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { codeOf, Secret } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import {
  ArtifactStore,
  RemoteClusters,
  remoteCredentials,
  type RemoteLimits,
  serveRemote,
} from '../src/remote/index.ts';

const limits: RemoteLimits = {
  handshakes: { max: 8, maxPerAddress: 8, maxPerTurn: 4, deadlineMs: 60_000 },
  strangers: { max: 4, maxPerAddress: 4, tokenMs: 60_000 },
  callers: 4,
};
const show = { words: ['show'], arguments: [], flags: [] };

/** A server whose commands take as long as the test has them. */
async function served(t: ExecutionContext, own: Partial<RemoteLimits> = {}, host = '127.0.0.1', asked = 0) {
  const directory = await temporaryDirectory(t);
  const credentials = await remoteCredentials(join(directory, 'credentials'));
  t.teardown(() => credentials[Symbol.dispose]());
  const goesOn = Promise.withResolvers<void>();
  const server = await serveRemote({
    listen: { host, port: asked },
    credentials,
    artifacts: new ArtifactStore(join(directory, 'artifacts'), 0),
    run: async (_request, { write }) => {
      await write({ out: Buffer.from('begun') });
      await goesOn.promise;
      return { exitCode: 0 };
    },
    doorOf: () => Promise.reject(new Error('no machine is asked for')),
    limits: { ...limits, ...own },
  });
  t.teardown(() => server[Symbol.asyncDispose]());
  const port = Number(server.endpoint.split(':').at(-1));
  const open = new Set<Socket | ClientHttp2Session>();
  const kept = <Connection extends Socket | ClientHttp2Session>(connection: Connection): Connection => {
    t.teardown(() => connection.destroy());
    open.add(connection);
    connection.on('error', () => {});
    connection.on('close', () => open.delete(connection));
    return connection;
  };
  return {
    goesOn,
    token: credentials.newToken ?? '',
    /** Connections without the token that the server has not ended. */
    open,
    port,
    silent: async (): Promise<void> => {
      const socket = kept(connect({ host: '127.0.0.1', port }));
      await once(socket.resume(), 'connect');
    },
    stranger: async (): Promise<ClientHttp2Session> => {
      const url = `https://127.0.0.1:${port}`;
      const session = kept(connectHttp2(url, { ca: credentials.crt, checkServerIdentity: () => undefined }));
      await once(session, 'remoteSettings');
      return session;
    },
    caller: (): RemoteClusters => {
      const remote = new RemoteClusters({
        endpoint: server.endpoint,
        token: Secret.take(Buffer.from(credentials.newToken ?? '')),
        trust: { fingerprint: credentials.fingerprint },
      });
      t.teardown(() => remote[Symbol.dispose]());
      return remote;
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !holds(); await setTimeout(10))
    if (Date.now() > end) throw new Error('it did not come to that within a minute');
}

test('connections without the token are few, however many come, and shut out none with it', async (t) => {
  const { goesOn, open, silent, stranger, caller } = await served(t);
  const call = caller().run(show);
  t.is(String((await call.next()).value?.out), 'begun');
  for (let count = 0; count < 20; count += 1) await stranger();
  await until(() => open.size <= 4);
  t.is((await caller().ping()).hostArch, 'amd64');
  await until(() => open.size === 3); // the oldest made room
  for (let count = 0; count < 40; count += 1) await silent();
  await until(() => open.size <= 4 + 8);
  t.is((await caller().ping()).hostArch, 'amd64');
  goesOn.resolve();
  t.is((await call.next()).value?.end?.exitCode, 0, 'who has shown it ends for nobody');
});

test('a connection ends when nothing is said on it, or no token, and stays with it', async (t) => {
  const { open, token, silent, stranger } = await served(t, {
    handshakes: { ...limits.handshakes, deadlineMs: 1_000 },
    strangers: { ...limits.strangers, tokenMs: 1_000 },
  });
  const authorized = await stranger();
  const ask = async (authorization: string): Promise<unknown> => {
    const call = authorized.request({
      ':method': 'POST',
      ':path': '/nodecore.clusters.v1.RemoteProvision/Ping',
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization,
    });
    call.resume().end(Buffer.alloc(5));
    const [headers] = (await once(call, 'response')) as [Record<string, string>];
    return headers['grpc-status'];
  };
  t.is(await ask(`Bearer ${token}`), undefined);
  await silent();
  await stranger();
  await until(() => open.size === 1);
  t.true(open.has(authorized), 'its time was over before that of the others');
  t.is(await ask('Bearer another'), '16');
});

test('one caller more than are served is told so, and comes when another has gone', async (t) => {
  const { caller } = await served(t, { callers: 1 });
  const [first, second] = [caller(), caller()];
  await first.ping();
  await t.throwsAsync(second.ping(), { code: 'ERR_CLUSTER_REMOTE', message: /too many callers/ });
  first[Symbol.dispose]();
  for (;;) {
    const answer = await second.ping().catch(() => undefined);
    if (answer === undefined) continue;
    t.is(answer.hostArch, 'amd64');
    return;
  }
});

/** The system says of each name that it has these addresses, and one that no computer here has. Until the block is left. */
function named(addresses: readonly string[]): Disposable {
  const { lookup } = dns;
  const found = ['192.0.2.1', ...addresses].map((address) => ({ address, family: 4 }));
  dns.lookup = (async () => found) as unknown as typeof lookup;
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      dns.lookup = lookup;
      syncBuiltinESMExports();
    },
  };
}

/** What becomes of a connection. */
async function tried(host: string, port: number): Promise<string | undefined> {
  const socket = connect({ host, port });
  const refused = once(socket, 'error').then(([error]) => codeOf(error));
  const outcome = await Promise.race([once(socket, 'connect').then(() => 'connected'), refused]);
  refused.catch(() => {}); // the other one came
  socket.destroy();
  return outcome;
}

test.serial('a name is listened at with all the addresses of it that this computer has', async (t) => {
  using _named = named(['127.0.0.1', '127.0.0.2']);
  const { port } = await served(t, {}, 'both.example');
  for (const address of ['127.0.0.1', '127.0.0.2']) t.is(await tried(address, port), 'connected', address);
  t.is(await tried('127.0.0.3', port), 'ECONNREFUSED');
});

test.serial('of a name whose port is taken at one of its addresses nothing is listened at', async (t) => {
  using _named = named(['127.0.0.1', '127.0.0.2']);
  const other = createServer().listen({ host: '127.0.0.2', port: 0 });
  t.teardown(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await t.throwsAsync(served(t, {}, 'both.example', port), { code: 'EADDRINUSE' });
  t.is(await tried('127.0.0.1', port), 'ECONNREFUSED');
});

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

import test, { type ExecutionContext } from 'ava';

import { type Dial, dialHere } from '../src/dial.ts';
import { Servers } from '../src/servers.ts';
import { spliceTo } from '../src/splice.ts';

const target = { address: '127.0.0.1', port: 1 };

async function listening(t: ExecutionContext, server = createServer()): Promise<Server & { port: number }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

test('who leaves while the way on is looked for ends the search', async (t) => {
  const door = await listening(t);
  const asked = Promise.withResolvers<AbortSignal>();
  const never: Dial = async (_, signal) => {
    asked.resolve(signal);
    return await new Promise<never>(() => {});
  };
  spliceTo(door, target, never);
  const near = connect(door.port, '127.0.0.1');
  const signal = await asked.promise;
  t.false(signal.aborted);
  near.resetAndDestroy();
  await once(signal, 'abort');
  t.pass();
});

test('a way that is found for nobody is closed', async (t) => {
  const door = await listening(t);
  const far = await listening(t);
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<AbortSignal>();
  const late: Dial = async (_, signal) => {
    asked.resolve(signal);
    await gate.promise;
    return await dialHere({ address: '127.0.0.1', port: far.port }, new AbortController().signal);
  };
  spliceTo(door, target, late);
  const came = once(far, 'connection');
  const near = connect(door.port, '127.0.0.1');
  const signal = await asked.promise;
  near.resetAndDestroy();
  await once(signal, 'abort');
  gate.resolve();
  const [socket] = (await came) as [Socket];
  await t.throwsAsync(once(socket.resume(), 'close'), { code: 'ECONNRESET' });
});

test('servers that end take their connections with them, and free their ports', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const servers = new Servers();
  servers.add(server);
  const near = connect(port, '127.0.0.1');
  t.teardown(() => near.destroy());
  near.on('error', () => {});
  await once(server, 'connection');
  const gone = once(near.resume(), 'close');
  await servers[Symbol.asyncDispose]();
  await servers[Symbol.asyncDispose]();
  await gone;
  await t.throwsAsync(once(connect(port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
});

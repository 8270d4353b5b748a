import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connect as tlsConnect } from 'node:tls';

import { Server as GrpcServer } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';

import { Listener } from '../src/server/listener.ts';
import { maintenanceCredentials } from '../src/certificates/node-certificate.ts';

/** A listener with credentials that anybody may connect to. */
async function setUp(t: ExecutionContext, handshakeMs: number) {
  const failures: string[] = [];
  const listener = new Listener({
    limits: { max: 16, maxPerAddress: 8, maxPerTurn: 4, deadlineMs: handshakeMs },
    failed: (reason) => failures.push(reason),
  });
  const address = await listener.listen({ host: '127.0.0.1', port: 0 });
  const credentials = await maintenanceCredentials();
  const server = new GrpcServer();
  listener.use(credentials, { server, admit: () => true }, 'stay');
  credentials.key[Symbol.dispose]();
  t.teardown(async () => {
    await listener.close(10_000);
    server.forceShutdown();
  });
  return { address, failures };
}

test('a client whose handshake waits while the loop stands still is let in', async (t) => {
  const handshakeMs = 500;
  const { address } = await setUp(t, handshakeMs);
  const socket = connect(address);
  await once(socket, 'connect');
  for (let turn = 0; turn < 3; turn += 1) await setImmediate(); // it is accepted, and its time runs
  const end = performance.now() + 2 * handshakeMs;
  while (performance.now() < end);
  const client = tlsConnect({ socket, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  t.teardown(() => client.destroy());
  await once(client, 'secureConnect');
  await once(client, 'data'); // the settings of HTTP/2: the server has it, too
  t.pass();
});

test('a client that says nothing is hung up on', async (t) => {
  const { address, failures } = await setUp(t, 20);
  const socket = connect(address);
  await once(socket.resume(), 'close');
  t.deepEqual(failures, ['handshake-silent']);
});

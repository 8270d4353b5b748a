import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

import { parse } from '@nodecore/config';
import * as pki from '@nodecore/pki';
import { createRing, KeyRing, startKeyServer } from '@nodecore/key-server';
import { temporaryDirectory } from '@nodecore/testkit';
import { makeKeys } from '@nodecore/volumes';
import test, { type ExecutionContext } from 'ava';

import { NodeKeys, rootsOf } from '../src/keys/node-keys.ts';
import { NodeIdentity } from '../src/keys/node-identity.ts';

async function trusting(...names: readonly string[]): Promise<string> {
  const roots = await Promise.all(names.map(async (name) => (await authorityOf(name)).crt));
  return roots
    .map(
      (crt, index) =>
        `apiVersion: v1alpha1\nkind: TrustedRootsConfig\nname: ${names[index]}\ncertificates: |\n` +
        crt.replaceAll(/^/gm, '  '),
    )
    .join('\n---\n');
}

const authorities = new Map<string, ReturnType<typeof pki.createCA>>();

function authorityOf(name: string): ReturnType<typeof pki.createCA> {
  const authority = authorities.get(name) ?? pki.createCA(name);
  authorities.set(name, authority);
  return authority;
}

test('a key server of a former configuration is still trusted, each authority once', async (t) => {
  using active = parse(await trusting('new', 'both'));
  using former = parse(await trusting('old', 'both'));
  await using keys = new NodeKeys(new NodeIdentity());
  keys.trust(rootsOf(active, former));
  const roots = keys.sources().kms?.roots ?? [];
  t.is(roots.length, 3);
  for (const pem of [...rootsOf(active), ...rootsOf(former)]) t.true(roots.includes(pem));
  keys.trust(rootsOf(active));
  t.deepEqual(keys.sources().kms?.roots, rootsOf(active));
});

/** A key server, and the connections that were made to it. */
async function keyServer(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const ring = join(directory, 'ring');
  using fresh = KeyRing.create(Date.now());
  await createRing(ring, fresh);
  const listen = { host: '127.0.0.1', port: 0 };
  const server = await startKeyServer({
    listen,
    tls: 'plaintext',
    ring,
    audit: join(directory, 'audit.log'),
  });
  const sockets: Socket[] = [];
  const between = createServer((socket) => {
    sockets.push(socket);
    const onward = connect(server.address);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  between.listen(0, listen.host);
  await once(between, 'listening');
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    between.close();
    await server.close();
  });
  return { endpoint: `grpc://127.0.0.1:${(between.address() as AddressInfo).port}`, sockets };
}

test('the keys of all volumes come by one connection, which ends with the node', async (t) => {
  t.timeout(8_000); // less than connections are kept
  const { endpoint, sockets } = await keyServer(t);
  const keys = new NodeKeys(new NodeIdentity());
  const machineUuid = '4c4c4544-0051-3610-8052-b4c04f4e3132';
  const make = async (volumeId: string): Promise<void> => {
    const context = { ...keys.sources(), machineUuid, volumeId };
    using made = await makeKeys([{ kind: 'kms', slot: 0, endpoint }], context);
    t.deepEqual(made.failures, []);
  };
  await make('STATE');
  await Promise.all(['u-data', 'u-logs', 'u-etcd'].map(make));
  t.is(sockets.length, 1);
  const [socket] = sockets;
  t.false(socket?.destroyed);
  const closed = once(socket ?? t.fail(), 'close');
  await keys[Symbol.asyncDispose]();
  await closed;
  t.is(sockets.length, 1);
});

test('trying keys out leaves no connection', async (t) => {
  t.timeout(8_000); // less than connections are kept
  const { endpoint, sockets } = await keyServer(t);
  await using keys = new NodeKeys(new NodeIdentity());
  using configuration = parse(await trusting('new'));
  const entries = [0, 1].map((slot) => ({ kind: 'kms', slot, endpoint, lockToState: false }) as const);
  const failures = await keys.try(configuration, '4c4c4544-0051-3610-8052-b4c04f4e3132', 'u-data', entries);
  t.deepEqual(failures, []);
  t.is(sockets.length, 1);
  const [socket] = sockets;
  if (socket !== undefined && !socket.destroyed) await once(socket, 'close');
  t.pass('and it was not kept for some seconds');
});

import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

import { Metadata } from '@grpc/grpc-js';
import { createCA, createMaintenanceIdentity, fingerprint } from '@nodecore/pki';
import { systemClock } from '@nodecore/waiting';
import test from 'ava';

import { RoleCertificates } from '../src/links/authorities.ts';
import type { LinkedMachine } from '../src/links/links.ts';
import { NodeConnections } from '../src/proxy/node-connection.ts';
import { type KnownMachine, machineFor, nodeRoleOf } from '../src/proxy/route.ts';

const machines = [
  ['aaaaaaaa-0000-8000-8000-000000000000', 'uuid-1', 'one'],
  ['bbbbbbbb-0000-8000-8000-000000000000', 'uuid-2', 'same'],
  ['cccccccc-0000-8000-8000-000000000000', 'uuid-2', 'same'],
].map(
  ([id, uuid, hostname]) => ({ id, facts: { uuid, hostname, osVersion: '', stage: '' } }) as LinkedMachine,
);

function call(fields: Readonly<Record<string, string | readonly string[]>>): Metadata {
  const metadata = new Metadata();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) metadata.add(name, value);
  return metadata;
}

const roleOf = (role: Parameters<typeof nodeRoleOf>[0]['role']): string =>
  nodeRoleOf({ identity: 'me', role, keyId: '' });

const nobody = (): Promise<readonly KnownMachine[]> => Promise.resolve([]);

test('a machine is named by its id, or by what no other machine has', async (t) => {
  for (const node of ['aaaaaaaa-0000-8000-8000-000000000000', 'uuid-1', 'ONE'])
    t.is(await machineFor(call({ runtime: 'nodeos', node }), machines, nobody), machines[0]!, node);
  for (const [node, expected] of [
    ['uuid-2', { code: 'ERR_FLEET_REQUEST', message: /bbbb.*cccc/u }],
    ['same', { code: 'ERR_FLEET_REQUEST' }],
    ['none', { code: 'ERR_FLEET_NOT_FOUND' }],
  ] as const)
    await t.throwsAsync(machineFor(call({ node }), machines, nobody), expected, node);
});

test('a call for a machine that is off comes to no other with the same name', async (t) => {
  const off = { id: 'dddddddd-0000-8000-8000-000000000000', uuid: 'uuid-1', hostname: 'one' };
  const known = (): Promise<readonly KnownMachine[]> =>
    Promise.resolve([off, { id: machines[0]!.id, uuid: 'uuid-1' }, { id: 'begun' }]);
  t.is(await machineFor(call({ node: machines[0]!.id }), machines, known), machines[0]!);
  for (const node of ['uuid-1', 'one'])
    await t.throwsAsync(
      machineFor(call({ node }), machines, known),
      { code: 'ERR_FLEET_REQUEST', message: /dddd/u },
      node,
    );
  const alone = (): Promise<readonly KnownMachine[]> => Promise.resolve([{ ...off, hostname: 'db1' }]);
  await t.throwsAsync(machineFor(call({ node: 'db1' }), machines, alone), { code: 'ERR_FLEET_NOT_FOUND' });
});

test('a call for no machine, for several, or for another runtime is refused', async (t) => {
  for (const fields of [
    {},
    { node: '' },
    { nodes: ['uuid-1', 'one'] },
    { node: 'one', nodes: 'uuid-1' },
    { nodes: 'one,uuid-1' },
    { runtime: 'orch', node: 'one' },
  ])
    await t.throwsAsync(
      machineFor(call(fields), machines, nobody),
      { code: 'ERR_FLEET_REQUEST' },
      JSON.stringify(fields),
    );
});

test('a caller has on a node the role of the fleet and no more', (t) => {
  t.is(roleOf('Reader'), 'os:reader');
  t.is(roleOf('Auditor'), 'os:reader');
  t.is(roleOf('Operator'), 'os:operator');
  t.is(roleOf('Admin'), 'os:admin');
  for (const role of ['None', 'InfraProvider'] as const)
    t.throws(() => roleOf(role), { code: 'ERR_FLEET_DENIED' });
  t.throws(() => nodeRoleOf({ identity: '', role: 'Admin', keyId: '' }), { code: 'ERR_FLEET_DENIED' });
});

test('the fleet speaks to a node API with the key that the machine has named, and to no other', async (t) => {
  const shown = await createMaintenanceIdentity({ names: ['node'] });
  const node = createServer({
    key: shown.key.bytes,
    cert: shown.crt,
    requestCert: true,
    rejectUnauthorized: false,
  });
  const seen = Promise.withResolvers<string | undefined>();
  node.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    seen.resolve(socket.getPeerX509Certificate()?.subject);
    t.teardown(() => socket.destroy());
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  t.teardown(() => node.close());
  const { port } = node.address() as AddressInfo;
  using certificates = new RoleCertificates(await createCA('access'), systemClock);
  const connections = new NodeConnections(certificates);
  const machineWith = (nodeApiSpki: string): LinkedMachine =>
    ({
      id: 'm',
      session: { connect: () => Promise.resolve(connect(port, '127.0.0.1')) },
      facts: { uuid: '', osVersion: '', stage: '', nodeApiSpki },
    }) as unknown as LinkedMachine;
  const session = await connections.get(machineWith(fingerprint(shown.crt)), 'os:reader');
  t.teardown(() => session.destroy());
  t.is(await seen.promise, 'O=os:reader');
  const other = await createMaintenanceIdentity({ names: ['node'] });
  await t.throwsAsync(connections.get(machineWith(fingerprint(other.crt)), 'os:reader'), {
    code: 'ERR_FLEET_STATE',
    message: /another key/u,
  });
});

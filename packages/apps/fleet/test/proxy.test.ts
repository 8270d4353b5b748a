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
import { machineFor, nodeRoleOf } from '../src/proxy/route.ts';

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

test('a machine is named by its id, or by what no other machine has', (t) => {
  for (const node of ['aaaaaaaa-0000-8000-8000-000000000000', 'uuid-1', 'ONE'])
    t.is(machineFor(call({ runtime: 'nodeos', node }), machines), machines[0]!, node);
  t.throws(() => machineFor(call({ node: 'uuid-2' }), machines), {
    code: 'ERR_FLEET_REQUEST',
    message: /bbbb.*cccc/u,
  });
  t.throws(() => machineFor(call({ node: 'same' }), machines), { code: 'ERR_FLEET_REQUEST' });
  t.throws(() => machineFor(call({ node: 'none' }), machines), { code: 'ERR_FLEET_NOT_FOUND' });
});

test('a call for no machine, for several, or for another runtime is refused', (t) => {
  for (const fields of [
    {},
    { node: '' },
    { nodes: ['uuid-1', 'one'] },
    { node: 'one', nodes: 'uuid-1' },
    { nodes: 'one,uuid-1' },
  ])
    t.throws(() => machineFor(call(fields), machines), { code: 'ERR_FLEET_REQUEST' }, JSON.stringify(fields));
  t.throws(() => machineFor(call({ runtime: 'orch', node: 'one' }), machines), { code: 'ERR_FLEET_REQUEST' });
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

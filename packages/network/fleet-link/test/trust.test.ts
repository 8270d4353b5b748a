import { createCA, issueClient, issueServer } from '@nodecore/pki';
import test from 'ava';

import { FleetSession } from '../src/index.ts';
import { fleet, machine, pinOf } from './scene.ts';

test('a fleet that a public root vouches for needs no pin', async (t) => {
  const there = await fleet(t);
  const { states } = await machine(t, there.port, '', { roots: [there.ca.crt] });
  await there.session();
  await states.reach('connected');
  t.pass();
});

const others = ['without a pin, of an authority that no root vouches for', 'with another pin'] as const;
for (const name of others)
  test(`a fleet is told nothing that is ${name}`, async (t) => {
    const there = await fleet(t);
    const other = await createCA('other');
    const parameters = name === 'with another pin' ? `fleetca=${pinOf(other.crt)}` : '';
    const { states, end } = await machine(t, there.port, parameters);
    t.is((await states.reach('waiting')).code, 'ERR_LINK_CERTIFICATE');
    t.deepEqual(
      states.all.slice(0, 2).map(({ state }) => state),
      ['connecting', 'waiting'],
    );
    await end();
  });

test('the pin of the certificate itself is as good as that of its authority', async (t) => {
  const ca = await createCA('fleet');
  const server = await issueServer(ca, { names: ['elsewhere.example'] });
  const there = await fleet(t, { cert: server.crt, key: server.key.bytes });
  const { states } = await machine(t, there.port, `fleetca=${pinOf(server.crt)}`);
  await there.session();
  await states.reach('connected');
  t.pass();
});

test('a certificate of the pinned authority for another name is refused', async (t) => {
  const ca = await createCA('fleet');
  const server = await issueServer(ca, { names: ['elsewhere.example'] });
  const there = await fleet(t, { cert: `${server.crt}${ca.crt}`, key: server.key.bytes });
  const { states } = await machine(t, there.port, `fleetca=${pinOf(ca.crt)}`);
  t.like(await states.reach('waiting'), {
    code: 'ERR_LINK_CERTIFICATE',
    reason: 'the certificate of the fleet: it is not for 127.0.0.1',
  });
});

test('a certificate for clients of the pinned authority does not make a fleet', async (t) => {
  const ca = await createCA('fleet');
  const client = await issueClient(ca, { roles: [] });
  const there = await fleet(t, { cert: `${client.crt}${ca.crt}`, key: client.key.bytes });
  const { states } = await machine(t, there.port, `fleetca=${pinOf(ca.crt)}`);
  t.like(await states.reach('waiting'), {
    code: 'ERR_LINK_CERTIFICATE',
    reason: 'the certificate of the fleet: it is not one for servers',
  });
});

test('a certificate that only says the name of the pinned authority is refused', async (t) => {
  const [ca, imposter] = [await createCA('fleet'), await createCA('fleet')];
  const server = await issueServer(imposter, { names: ['127.0.0.1'] });
  const there = await fleet(t, { cert: `${server.crt}${ca.crt}`, key: server.key.bytes });
  const { states } = await machine(t, there.port, `fleetca=${pinOf(ca.crt)}`);
  t.like(await states.reach('waiting'), {
    code: 'ERR_LINK_CERTIFICATE',
    reason: 'the certificate of the fleet: neither it nor an authority above it is the pinned one',
  });
});

for (const [name, options] of [
  ['knows another protocol only', { ALPNProtocols: ['h2'] }],
  ['leaves the protocol open', { ALPNProtocols: [] }],
] as const)
  test(`a server that ${name} is told nothing`, async (t) => {
    const there = await fleet(t, options);
    const { states } = await machine(t, there.port, `fleetca=${there.pin}`);
    t.is((await states.reach('waiting')).code, 'ERR_LINK_PROTOCOL');
    t.false(states.all.some(({ state }) => state === 'connected'));
  });

test('a server without TLS 1.3 is told nothing', async (t) => {
  const there = await fleet(t, { maxVersion: 'TLSv1.2' });
  const { states } = await machine(t, there.port, `fleetca=${there.pin}`);
  t.is((await states.reach('waiting')).code, 'ERR_LINK_UNREACHABLE');
});

test('the fleet takes no connection of another protocol', async (t) => {
  const there = await fleet(t);
  const { connect } = await import('node:tls');
  const client = connect({
    port: there.port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  client.on('error', () => {});
  t.teardown(() => client.destroy());
  const socket = await there.socket();
  await t.throwsAsync(FleetSession.accept(socket), { code: 'ERR_LINK_PROTOCOL' });
});

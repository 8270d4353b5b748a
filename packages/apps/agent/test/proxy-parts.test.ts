import { Metadata } from '@grpc/grpc-js';
import { parse } from '@nodecore/config';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { NodeAddresses } from '../src/proxy/node-addresses.ts';
import { isOwnSurrounding } from '../src/proxy/own-surroundings.ts';
import { ProxyCredentials } from '../src/proxy/proxy-credentials.ts';
import { targetOf } from '../src/proxy/target.ts';
import { certifiedCaller, type ClientCertificate } from '../src/server/caller.ts';
import { actualCaller, callerHeader } from '../src/server/passed-on.ts';
import { authority, rootDocument } from './documents.ts';

const { signal } = new AbortController();
const clientAuth = '1.3.6.1.5.5.7.3.2';

test('loopback, links, groups and services of clouds are no nodes, however they are written', (t) => {
  for (const address of [
    '0.0.0.0',
    '127.0.0.1',
    '127.255.0.9',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '100.100.100.200',
    '168.63.129.16',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1%eth0',
    'ff02::1',
    'fd00:ec2::254',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:0:0:1',
  ])
    t.true(isOwnSurrounding(address), address);
  for (const address of [
    '10.0.0.5',
    '192.168.1.2',
    '100.64.0.1',
    '8.8.8.8',
    'fd00::5',
    '2001:db8::1',
    '::ffff:10.0.0.5',
  ])
    t.false(isOwnSurrounding(address), address);
});

test('a name is looked up once, and what it leads to is looked at', async (t) => {
  const asked: string[] = [];
  const addresses = new NodeAddresses({
    addressesOf: async (name) => {
      asked.push(name);
      return (
        { 'back.test': ['127.0.0.1', '::1'], 'node.test': ['169.254.1.1', '10.0.0.5'], 'empty.test': [] }[
          name
        ] ?? []
      );
    },
  });
  t.is(await addresses.get('node.test', 'me', signal), '10.0.0.5');
  await t.throwsAsync(addresses.get('back.test', 'me', signal), { code: 'ERR_SERVER_REQUEST' });
  await t.throwsAsync(addresses.get('empty.test', 'me', signal), { code: 'ERR_SERVER_NODE' });
  t.is(await addresses.get('10.0.0.6', 'me', signal), '10.0.0.6');
  await t.throwsAsync(addresses.get('127.0.0.1', 'me', signal), { code: 'ERR_SERVER_REQUEST' });
  t.deepEqual(asked, ['node.test', 'back.test', 'empty.test']);
});

test('the system resolver refuses numbers that are written in another way, as it does loopback', async (t) => {
  const addresses = new NodeAddresses();
  for (const name of ['localhost', '2130706433', '0x7f000001', '127.1'])
    await t.throwsAsync(addresses.get(name, 'me', signal), { code: 'ERR_SERVER_REQUEST' }, name);
});

test('a caller has one name looked up at a time, and two callers do not wait for each other', async (t) => {
  const answers: ((addresses: readonly string[]) => void)[] = [];
  const addresses = new NodeAddresses({
    addressesOf: () => new Promise((resolve) => answers.push(resolve)),
  });
  const found = ['a', 'b'].map((name) => addresses.get(name, 'one', signal));
  const other = addresses.get('c', 'two', signal);
  await Promise.resolve();
  await Promise.resolve();
  t.is(answers.length, 2);
  for (const answer of answers) answer(['10.0.0.1']);
  t.is(await other, '10.0.0.1');
  await found[0];
  answers[2]?.(['10.0.0.2']);
  t.is(await found[1], '10.0.0.2');
});

function targetNamed(node: string): string {
  const metadata = new Metadata();
  metadata.set('node', node);
  return targetOf(metadata);
}

test('a target is one address or one name', (t) => {
  for (const name of ['10.0.0.5', 'fd00::5', 'worker-1', 'worker_1.cluster.test', 'a'])
    t.is(targetNamed(name), name);
  for (const name of ['', '-a', 'a-', 'a:1', '[fd00::5]', 'a/b', 'a b', 'x'.repeat(254)])
    t.throws(() => targetNamed(name), { code: 'ERR_SERVER_REQUEST' }, name);
});

test('the certificate for calls of others is renewed in time, and is of the authority in use', async (t) => {
  const [one, two] = [await authority(), await authority()];
  const machineOf = (ca: typeof one, type = 'controlplane') => {
    const configuration = parse(rootDocument(ca, { type }));
    t.teardown(() => configuration[Symbol.dispose]());
    return configuration.machine;
  };
  const clock = new FakeClock(Date.now());
  const credentials = new ProxyCredentials(clock);
  await t.throwsAsync(credentials.current(), { code: 'ERR_SERVER_NO_CONTROL_PLANE' });
  credentials.use(machineOf(one));
  const first = await credentials.current();
  t.is(await credentials.current(), first);
  clock.advance(12 * 3_600_000);
  const second = await credentials.current();
  t.not(second, first);
  clock.setBack(3_600_000);
  t.not(await credentials.current(), second);
  credentials.use(machineOf(two));
  t.not(await credentials.current(), second);
  credentials.use(machineOf(two, 'worker'));
  await t.throwsAsync(credentials.current(), { code: 'ERR_SERVER_NO_CONTROL_PLANE' });
});

function certificate(organization: string, fingerprint: string): ClientCertificate {
  return {
    subject: { O: organization, CN: 'x' },
    ext_key_usage: [clientAuth],
    serialNumber: '0A',
    fingerprint256: fingerprint,
  };
}

test('budgets count a caller once, whichever way they come', (t) => {
  const direct = certifiedCaller(certificate('os:admin', 'AB:'.repeat(31) + 'AB'));
  const node = certifiedCaller(certificate('os:impersonator', 'CD:'.repeat(31) + 'CD'));
  const passed = actualCaller(node, Metadata.fromHttp2Headers(callerHeader(direct)));
  t.deepEqual(passed, { ...direct, via: 'x' });
  t.is(node.roles.size, 0);
});

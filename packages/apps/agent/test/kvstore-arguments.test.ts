import { isIPv6 } from 'node:net';

import test from 'ava';

import { memberAddresses, type OwnAddress, urlOf } from '../src/kvstore/addresses.ts';
import { etcdArguments, type EtcdOptions } from '../src/kvstore/arguments.ts';
import { parseLine } from '../src/kvstore/etcd-log.ts';
import { memberSocket } from '../src/kvstore/member-socket.ts';

const own = (...addresses: string[]): OwnAddress[] =>
  addresses.map((address) => ({
    address,
    family: isIPv6(address) ? 'ipv6' : 'ipv4',
    internal: address === '::1' || address.startsWith('127.'),
  }));
const subnet = (text: string) => {
  const [, exclusion, address = '', prefix] = /^(!?)(.+)\/(\d+)$/.exec(text) ?? [];
  const family = isIPv6(address) ? ('ipv6' as const) : ('ipv4' as const);
  return { address, prefix: Number(prefix), family, excluded: exclusion === '!' };
};
const settings = (advertised: readonly string[], listen: readonly string[] = []) => ({
  advertisedSubnets: advertised.map(subnet),
  listenSubnets: listen.map(subnet),
});
const machine = own('127.0.0.1', '::1', '10.1.0.5', '192.168.7.5', 'fd00::5');

test('a member listens everywhere and tells others its first address, unless subnets say otherwise', (t) => {
  t.deepEqual(memberAddresses(machine, settings([])), {
    listen: ['::'],
    advertised: '10.1.0.5',
    local: '127.0.0.1',
  });
  t.deepEqual(memberAddresses(own('127.0.0.1'), settings([])), {
    listen: ['0.0.0.0'],
    advertised: '127.0.0.1',
    local: '127.0.0.1',
  });
  t.like(memberAddresses(machine, settings(['192.168.0.0/16'])), { advertised: '192.168.7.5' });
  t.like(memberAddresses(machine, settings(['!10.0.0.0/8'])), { advertised: '192.168.7.5' });
  t.like(memberAddresses(machine, settings(['fd00::/8'], ['fd00::/8', '10.0.0.0/8'])), {
    listen: ['10.1.0.5', 'fd00::5'],
    advertised: 'fd00::5',
    local: '10.1.0.5',
  });
  t.like(memberAddresses(own('127.0.0.1'), settings(['127.7.7.7/32'], ['127.7.7.7/32'])), {
    listen: ['127.7.7.7'],
    advertised: '127.7.7.7',
  });
});

test('where no address fits yet, the member waits for one', (t) => {
  for (const one of [settings(['172.16.0.0/12']), settings([], ['172.16.0.0/12'])])
    t.throws(() => memberAddresses(machine, one), { code: 'ERR_MEMBER_ADDRESS' });
});

const options: EtcdOptions = {
  version: { major: 3, minor: 5, text: '3.5.30' },
  name: 'node-a',
  dataDirectory: '/var/lib/kvstore/data',
  addresses: { listen: ['fd00::5', '10.1.0.5'], advertised: 'fd00::5', local: 'fd00::5' },
  files: {
    ca: '/run/ca',
    server: { crt: '/run/server.crt', key: '/run/server.key' },
    client: { crt: '/run/client.crt', key: '/run/client.key' },
  },
  extraArgs: new Map([
    ['max-txn-ops', '512'],
    ['client-cert-auth', 'false'],
  ]),
};

test('etcd asks every client and every peer for a certificate, whatever else it is told', (t) => {
  const argv = etcdArguments(options);
  for (const flag of [
    '--client-cert-auth=true',
    '--peer-client-cert-auth=true',
    '--tls-min-version=TLS1.3',
    '--max-txn-ops=512',
    '--listen-client-urls=https://[fd00::5]:2379,https://10.1.0.5:2379',
    '--advertise-client-urls=https://[fd00::5]:2379',
    '--experimental-initial-corrupt-check=true',
  ])
    t.true(argv.includes(flag), flag);
  t.is(new Set(argv.map((each) => each.split('=')[0])).size, argv.length, 'each flag once');
});

test('beside its ports a member answers at a socket, where its path is one that a URL and the kernel take', (t) => {
  const socket = memberSocket('/run/nodecore/kvstore');
  t.is(socket, '/run/nodecore/kvstore/client');
  const [flag] = etcdArguments({ ...options, socket }).filter((each) =>
    each.startsWith('--listen-client-urls='),
  );
  t.is(
    flag,
    '--listen-client-urls=https://[fd00::5]:2379,https://10.1.0.5:2379,unix:///run/nodecore/kvstore/client',
  );
  t.is(memberSocket(`/${'x'.repeat(99)}`)?.length, 107);
  for (const directory of [
    `/${'x'.repeat(100)}`,
    '/run/a,b',
    '/run/a b',
    '/run/a%2f',
    '/run/a?b',
    'run',
    '/rün',
  ])
    t.is(memberSocket(directory), undefined, directory);
});

function argumentsOf(text: string, minor = 5): readonly string[] {
  return etcdArguments({ ...options, version: { major: 3, minor, text } });
}

test('gRPC is alone on its port, and metrics, health and the gateway are on another, where etcd can do that', (t) => {
  const urls = '--listen-client-http-urls=https://[fd00::5]:2383,https://10.1.0.5:2383';
  for (const argv of [argumentsOf('3.5.10'), argumentsOf('3.5.30'), argumentsOf('3.6.0', 6)]) {
    t.true(argv.includes(urls));
    t.false(argv.some((flag) => flag.startsWith('--enable-grpc-gateway')));
  }
  for (const argv of [argumentsOf('3.5.0'), argumentsOf('3.5.9')]) {
    t.false(argv.some((flag) => flag.includes('2383')));
    t.true(argv.includes('--enable-grpc-gateway=false'));
  }
});

test('etcd 3.6 gets its checks by the names it has for them', (t) => {
  const argv = etcdArguments({ ...options, version: { major: 3, minor: 6, text: '3.6.1' } });
  t.true(argv.includes('--feature-gates=InitialCorruptCheck=true,CompactHashCheck=true'));
  t.deepEqual(
    argv.filter((flag) => flag.includes('experimental')),
    [],
  );
});

test('only a member without data is told how its cluster begins', (t) => {
  const members = ['node-b=https://10.1.0.6:2380', `node-a=${urlOf('fd00::5', 2380)}`];
  const argv = etcdArguments({ ...options, beginning: { state: 'existing', members, token: 'x' } });
  t.true(argv.includes(`--initial-cluster=${members.join()}`));
  t.true(argv.includes('--initial-cluster-state=existing'));
});

test('what etcd writes becomes lines of the log, with facts about members and nothing else', (t) => {
  const line = { level: 'warn', msg: 'slow', took: '1s', request: 'put: secret', caller: 'x' };
  t.deepEqual(parseLine(JSON.stringify(line)), { level: 'warn', message: 'slow', fields: { took: '1s' } });
  t.like(parseLine('{"level":"info","msg":"ready"}'), { level: 'debug', message: 'ready' });
  t.like(parseLine('{"level":"fatal","msg":"x","error":"disk"}'), {
    level: 'error',
    fields: { error: 'disk' },
  });
  for (const text of ['panic: runtime error', '{"level":', '{}'])
    t.deepEqual(parseLine(text), { level: 'warn', message: text, fields: {} });
});

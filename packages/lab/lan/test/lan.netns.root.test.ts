import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';

import {
  command,
  output,
  privateNetwork,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { Lan, type LanSpec, Namespace } from '../src/index.ts';

const known = '02:00:00:00:00:01';

async function network(t: ExecutionContext): Promise<{ readonly spec: LanSpec; readonly directory: string }> {
  const directory = await temporaryDirectory(t);
  const spec: LanSpec = {
    namespace: `os-${basename(directory)}`,
    cidr: '10.5.0.0/24',
    gateway: '10.5.0.1',
    mtu: 1400,
    domain: 'example.cluster',
    hosts: [{ name: 'one', mac: known, address: '10.5.0.2', tap: 'tap0-0' }],
    doors: [],
    outlets: [],
  };
  t.teardown(() => new Namespace(spec.namespace).remove());
  return { spec, directory };
}

/** A machine in a namespace of its own whose card with this address is on the bridge. */
async function guest(t: ExecutionContext, lan: Lan, mac: string, number: number): Promise<Namespace> {
  const namespace = new Namespace(`${lan.namespace.name}-${number}`);
  await namespace.make();
  t.teardown(() => namespace.remove());
  const near = `near${number}`;
  const pair = ['ip', 'link', 'add', near, 'type', 'veth', 'peer', 'name', 'eth0', 'address', mac];
  await lan.namespace.run([...pair, 'netns', namespace.name]);
  await lan.namespace.run(['ip', 'link', 'set', near, 'master', 'br0', 'up']);
  await namespace.run(['ip', 'link', 'set', 'eth0', 'up']);
  await namespace.run(['ip', 'link', 'set', 'lo', 'up']);
  return namespace;
}

/** Asks for an address once; what the client was told, or why it has none. */
async function dhcp(namespace: Namespace, directory: string, tries = '5'): Promise<string> {
  const script = join(directory, 'lease.sh');
  const body =
    '[ "$1" = bound ] || exit 0; ip address add "$ip/$mask" dev eth0; ip link set eth0 mtu "$mtu"; echo "$ip $router $dns $mtu $hostname $domain"';
  await writeFile(script, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  const options = ['-O', 'mtu', '-O', 'hostname', '-O', 'domain'];
  const client = [
    'busybox',
    'udhcpc',
    '-i',
    'eth0',
    '-n',
    '-q',
    '-f',
    '-t',
    tries,
    '-T',
    '1',
    '-s',
    script,
    ...options,
  ];
  const { stdout, stderr } = await command(namespace.inside(client));
  return `${stdout}${stderr}`;
}

/** What the host's service says at the door. */
function talk(): Promise<string> {
  return text(connect({ host: '127.5.0.1', port: 50_000 }));
}

async function hostState(): Promise<readonly string[]> {
  const commands = ['addr', 'link', 'route'].map((what) => ['ip', '-j', what] as const);
  const found = await Promise.all(
    [...commands, ['nft', 'list', 'tables'] as const].map((each) => output(each)),
  );
  return found;
}

testWith(
  root,
  program('dnsmasq'),
  program('busybox'),
  program('nft'),
)(
  'a known card gets its address, names are answered, others get nothing, and the host is as before',
  async (t) => {
    await privateNetwork();
    const before = await hostState();
    const { spec, directory } = await network(t);
    const lan = await Lan.open(spec, directory);
    t.deepEqual(await hostState(), before);
    const one = await guest(t, lan, known, 1);
    t.regex(await dhcp(one, directory), /^10\.5\.0\.2 10\.5\.0\.1 10\.5\.0\.1 1400 one example\.cluster$/m);
    const { stdout } = await command(
      one.inside(['busybox', 'nslookup', 'gateway.example.cluster', '10.5.0.1']),
    );
    t.regex(stdout, /Address[^\n]*: 10\.5\.0\.1\n/);
    await lan.close();
    t.true(await lan.namespace.exists());
    const again = await Lan.open(spec, directory); // what is there goes on
    const stranger = await guest(t, again, '02:00:00:00:00:99', 2);
    t.regex(await dhcp(stranger, directory, '1'), /no lease/i);
    await again.remove();
    t.false(await again.namespace.exists());
    t.deepEqual(await hostState(), before);
  },
);

testWith(root, program('dnsmasq'))(
  'doors lead in, a balancer passes on, outlets lead out, and all end with the network',
  async (t) => {
    const { spec, directory } = await network(t);
    const service = createServer((socket) => socket.on('error', () => {}).end('from the host')).listen(
      0,
      '127.0.0.1',
    );
    await once(service, 'listening');
    t.teardown(() => service.close());
    const target = { address: '127.0.0.1', port: (service.address() as AddressInfo).port };
    // In by the door, on by the balancer and out by the outlet: the whole way there and back.
    const door = {
      listen: { address: '127.5.0.1', port: 50_000 },
      target: { address: spec.gateway, port: 6443 },
    };
    const names = {
      listen: { address: '127.5.0.1', port: 5353 },
      target: { address: spec.gateway, port: 53 },
      protocol: 'udp' as const,
    };
    const balancers = [{ port: 6443, targets: [{ address: spec.gateway, port: 8081 }] }];
    const outlets = [{ port: 8081, target }];
    const lan = await Lan.open({ ...spec, doors: [door, names], outlets, balancers }, directory);
    t.is(await talk(), 'from the host');
    t.deepEqual(await Promise.all([talk(), talk(), talk()]), Array(3).fill('from the host'));
    const resolver = new Resolver({ tries: 2, timeout: 5000 });
    resolver.setServers(['127.5.0.1:5353']); // asks in one datagram
    t.deepEqual(await resolver.resolve4('one.example.cluster'), ['10.5.0.2']);
    await t.throwsAsync(
      Lan.open({ ...spec, namespace: `${spec.namespace}-x`, doors: [door] }, join(directory, 'x')),
      {
        code: 'EADDRINUSE',
      },
    );
    t.false(await new Namespace(`${spec.namespace}-x`).exists());
    await lan.remove();
    await t.throwsAsync(talk(), { code: 'ECONNREFUSED' });
  },
);

testWith(
  root,
  program('dnsmasq'),
  program('busybox'),
)(
  'DHCP tells a host what to search, and not what it is called where it shall not; its name is answered all the same',
  async (t) => {
    const { spec, directory } = await network(t);
    const quiet = { ...spec, search: ['svc.example'], withoutDhcpNames: true as const };
    const lan = await Lan.open(quiet, directory);
    const one = await guest(t, lan, known, 1);
    const script = join(directory, 'told.sh');
    await writeFile(script, '#!/bin/sh\n[ "$1" = bound ] || exit 0\necho "($hostname) ($search)"\n', {
      mode: 0o755,
    });
    const ask = [
      'busybox',
      'udhcpc',
      '-i',
      'eth0',
      '-n',
      '-q',
      '-f',
      '-s',
      script,
      '-O',
      'hostname',
      '-O',
      'search',
    ];
    const { stdout } = await command(one.inside([...ask, '-x', 'hostname:itself', '-F', 'itself']));
    t.regex(stdout, /^\(\) \(example\.cluster svc\.example\)$/m);
    const at = ['ip', 'address', 'add', '10.5.0.2/24', 'dev', 'eth0'];
    await one.run(at);
    const asked = async (name: string): Promise<string> =>
      (await command(one.inside(['busybox', 'nslookup', name, '10.5.0.1']))).stdout;
    t.regex(await asked('one.example.cluster'), /Address[^\n]*: 10\.5\.0\.2\n/);
    t.regex(await asked('10.5.0.2'), /one\.example\.cluster/);
    await lan.remove();
  },
);

testWith(
  root,
  program('dnsmasq'),
  program('busybox'),
)('a server of addresses that is killed is started again, and serves who asks', async (t) => {
  const { spec, directory } = await network(t);
  const again = Promise.withResolvers<void>();
  const said: string[] = [];
  const lan = await Lan.open(spec, directory, (line) => {
    said.push(line);
    if (line === 'dnsmasq serves again') again.resolve();
  });
  const one = await guest(t, lan, known, 1);
  const [server = 0, ...others] = await lan.namespace.processes();
  t.deepEqual(others, []);
  process.kill(server, 'SIGKILL');
  await again.promise;
  t.regex(said[0] ?? '', /^dnsmasq ended: .*; it is started again$/);
  t.regex(await dhcp(one, directory), /^10\.5\.0\.2 10\.5\.0\.1/m);
  t.not((await lan.namespace.processes())[0], server);
  await lan.remove();
  t.deepEqual(await lan.namespace.processes(), []);
});

testWith(root, program('dnsmasq'))('removing a namespace ends what runs in it', async (t) => {
  const { spec, directory } = await network(t);
  const lan = await Lan.open(spec, directory);
  const before = await lan.namespace.processes();
  t.is(before.length, 1, 'dnsmasq alone');
  await new Namespace(spec.namespace).remove();
  t.deepEqual(await lan.namespace.processes(), []);
  await lan.close();
});

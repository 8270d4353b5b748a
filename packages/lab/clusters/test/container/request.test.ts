import test from 'ava';

import { ClusterError, type ContainerFlags, makePlan, readContainerRequest } from '../../src/index.ts';
import { lanOf } from '../../src/plan.ts';

const usual: ContainerFlags = {
  name: 'example',
  subnet: '10.5.0.0/24',
  mtu: '1500',
  controlplanes: '1',
  workers: '2',
  cpusControlplanes: '2.0',
  cpusWorkers: '1/2',
  memoryControlplanes: '2.0GiB',
  memoryWorkers: '256MiB',
  exposedPorts: [],
  hostIp: '0.0.0.0',
  image: '/srv/base.sqsh',
  osVersion: 'v1.14.0-alpha.0',
  mount: [],
};

function problemsOf(flags: Partial<ContainerFlags>): readonly string[] {
  try {
    readContainerRequest({ ...usual, ...flags });
    return [];
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'ERR_CLUSTER_REQUEST')
      return error.message.split('\n');
    throw error;
  }
}

test('a container has the share of processors that was asked for, not rounded', (t) => {
  const { machines } = readContainerRequest(usual);
  t.deepEqual(machines, {
    controlplane: { cpus: 2, memoryMib: 2048 },
    worker: { cpus: 0.5, memoryMib: 256 },
  });
});

test('every wrong flag is said, all at once', (t) => {
  const flags = {
    name: '../x',
    subnet: '10.5.0.0',
    mtu: '100',
    controlplanes: '0',
    workers: '-1',
    cpusControlplanes: '0',
    cpusWorkers: '1.0000000001',
    memoryControlplanes: '255MiB',
    memoryWorkers: 'much',
    hostIp: 'everywhere',
    image: 'ftp://example.com/root',
  };
  t.deepEqual(problemsOf(flags), [
    '--name "../x": small letters, digits and dashes, at most 40',
    "--controlplanes can't be less than 1",
    '--workers -1: a number',
    '--subnet 10.5.0.0: IPv4 CIDR expected, such as 10.5.0.0/24',
    '--mtu 100: 1280 to 9216',
    '--cpus-controlplanes 0: such as 2.0 or 1/2, at least 0.01, with at most nine decimals',
    '--memory-controlplanes 255MiB: at least 256MiB',
    '--cpus-workers 1.0000000001: such as 2.0 or 1/2, at least 0.01, with at most nine decimals',
    '--memory-workers much: at least 256MiB',
    '--host-ip everywhere: an IPv4 address expected',
    '--image ftp://example.com/root: a path, a URL of http or https, or docker://…',
  ]);
  t.deepEqual(problemsOf({ subnet: '10.5.0.0/30' }), [
    '--subnet 10.5.0.0/30 has room for 1 nodes, not for 3',
  ]);
});

function rootOf(image: string): object {
  return readContainerRequest({ ...usual, image }).image;
}

test('an image of a registry is read with the names that such tools have', (t) => {
  t.deepEqual(rootOf('docker://127.0.0.1:5000/a/node:v1'), { root: 'docker://127.0.0.1:5000/a/node:v1' });
  t.deepEqual(rootOf('docker://node'), { root: 'docker://docker.io/library/node:latest' });
  t.regex(problemsOf({ image: 'docker://127.0.0.1:5000/A' })[0] ?? '', /^--image docker:.*other characters/);
});

test('exposed ports are doors of the first control plane, open to whoever reaches this computer', (t) => {
  const request = readContainerRequest({
    ...usual,
    hostIp: '192.0.2.1',
    exposedPorts: ['8080:80/tcp', '127.0.0.1:8443:443/tcp', '8080:53/udp'],
  });
  const doors = lanOf(makePlan(request, 'a'.repeat(32)))?.doors ?? [];
  t.deepEqual(doors.slice(3), [
    {
      listen: { address: '192.0.2.1', port: 8080 },
      target: { address: '10.5.0.2', port: 80 },
      isPublic: true,
    },
    {
      listen: { address: '127.0.0.1', port: 8443 },
      target: { address: '10.5.0.2', port: 443 },
      isPublic: true,
    },
    {
      listen: { address: '192.0.2.1', port: 8080 },
      target: { address: '10.5.0.2', port: 53 },
      isPublic: true,
      protocol: 'udp',
    },
  ]);
  t.true(doors.slice(0, 3).every(({ listen, isPublic }) => listen.address.startsWith('127.') && !isPublic));
});

const ports: readonly (readonly [string, string])[] = [
  ['8080:80', 'incorrect format, [IP:]HOST:CONTAINER/tcp or udp expected'],
  ['80/tcp', 'incorrect format, [IP:]HOST:CONTAINER/tcp or udp expected'],
  ['0:80/tcp', 'ports are 1 to 65535'],
  ['8080:65536/tcp', 'ports are 1 to 65535'],
  ['8080:80/sctp', 'protocol sctp is none of tcp, udp'],
  ['8080:0/udp', 'ports are 1 to 65535'],
  ['1.2.3:8080:80/tcp', '1.2.3 is no IPv4 address'],
];
for (const [text, why] of ports)
  test(`--exposed-ports ${text} is refused`, (t) => {
    t.deepEqual(problemsOf({ exposedPorts: [text] }), [`--exposed-ports ${text}: ${why}`]);
  });

test('one port of this computer leads to one place', (t) => {
  const twice = ['8080:80/tcp', '127.0.0.1:8080:81/tcp'];
  t.deepEqual(problemsOf({ exposedPorts: twice }), [
    '--exposed-ports 127.0.0.1:8080:81/tcp: port 8080 is exposed twice',
  ]);
  t.deepEqual(problemsOf({ exposedPorts: ['8080:80/udp', '8080:80/tcp', '8080:81/udp'] }), [
    '--exposed-ports 8080:81/udp: port 8080 is exposed twice',
  ]);
  t.deepEqual(problemsOf({ hostIp: '192.0.2.1', exposedPorts: twice }), []);
});

test('mounts are read with the names that such tools have', (t) => {
  const { container } = readContainerRequest({
    ...usual,
    mount: [
      'type=bind,src=/srv//data/,dst=/data,readonly',
      'source=cache,target=/var/cache/',
      'type=tmpfs,destination=/scratch',
    ],
  });
  t.deepEqual(container?.mounts, [
    { type: 'bind', source: '/srv/data/', target: '/data', isReadOnly: true },
    { type: 'volume', source: 'cache', target: '/var/cache' },
    { type: 'tmpfs', target: '/scratch' },
  ]);
});

const mounts: readonly (readonly [string, string])[] = [
  ['type=image,source=x,target=/data', 'type image is none of bind, volume, tmpfs'],
  ['type=bind,source=srv,target=/data', 'source must be an absolute path'],
  ['type=bind,target=/data', 'source must be an absolute path'],
  ['source=../x,target=/data', 'source must be a name: small letters, digits and dashes'],
  ['type=tmpfs,source=x,target=/data', 'tmpfs has no source'],
  ['type=tmpfs,target=data', 'target must be an absolute path'],
  ['type=tmpfs,target=/', 'target / is the root of the node'],
  ['type=tmpfs,target=/data/..', 'target / is the root of the node'],
  ['type=tmpfs,target=/proc/sys', "target /proc/sys is in /proc, which is the node's own"],
  ['type=tmpfs,target=/x/../dev', "target /dev is in /dev, which is the node's own"],
  ['type=tmpfs,target=/var', "target /var is in /var, which is the node's own"],
  ['type=tmpfs,target=/data,mode=1', '"mode=1" is none of type=, source=, target=, readonly'],
];
for (const [text, why] of mounts)
  test(`--mount ${text} is refused`, (t) => {
    t.deepEqual(problemsOf({ mount: [text] }), [`--mount ${text}: ${why}`]);
  });

test('nothing is mounted over another mount', (t) => {
  const twice = ['type=tmpfs,target=/data', 'source=x,target=/data/'];
  t.deepEqual(problemsOf({ mount: twice }), ['--mount source=x,target=/data/: /data is mounted twice']);
});

test('every node of a cluster of containers has a namespace of its own, and no two clusters share one', (t) => {
  const request = readContainerRequest(usual);
  const names = ['a', 'b'].flatMap((id) =>
    makePlan(request, id.repeat(32)).nodes.map(({ namespace }) => namespace),
  );
  t.is(names[0], 'os-aaaaaaaaaaaaaaaa-1');
  t.is(new Set(names).size, 6);
});

test('a network of IPv6 is the only one that nodes have', (t) => {
  const plan = makePlan(readContainerRequest({ ...usual, subnet: 'fd00:0001::7/64' }), '0'.repeat(32));
  t.like(plan.lan, { cidr: 'fd00:1::/64', gateway: 'fd00:1::1', ipv6: undefined });
  t.deepEqual(
    plan.nodes.map(({ address, address6, door }) => [address, address6, door.address]),
    [
      ['fd00:1::2', undefined, '127.5.0.2'],
      ['fd00:1::3', undefined, '127.5.0.3'],
      ['fd00:1::4', undefined, '127.5.0.4'],
    ],
  );
  t.deepEqual(problemsOf({ subnet: 'fd00:1::/48' }), [
    '--subnet fd00:1::/48: IPv6 CIDR of 64 bits expected, such as fd00:1::/64',
  ]);
});

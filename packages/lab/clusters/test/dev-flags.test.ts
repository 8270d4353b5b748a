import { execFileSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { dnsmasqConfig, lanProblems } from '@nodecore/lan';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import {
  ClusterDirectory,
  type DevFlags,
  devNotes,
  makePlan,
  preflightProblems,
  readDevRequest,
} from '../src/index.ts';
import { machineOf } from '../src/machine-spec.ts';
import { chosenNodes } from '../src/chosen-nodes.ts';
import { lanOf } from '../src/plan.ts';
import { preallocateDisks } from '../src/preallocate.ts';
import { devFlags } from './requests.ts';

const id = '000102030405060708090a0b0c0d0e0f';

test('what nodes are told is in the request, and nothing of it where no flag says so', (t) => {
  const wish: Partial<DevFlags> = {
    withFirewall: 'block',
    useVip: true,
    wireguardCidr: '10.9.0.7/24',
    registryMirror: [
      'docker.io=https://one.example',
      'docker.io=http://10.5.0.1:5000',
      '*=https://all.example',
    ],
    registryInsecureSkipVerify: ['r.example:5000', 'r.example:5000'],
    withDebug: true,
    withInitNode: true,
    controlPlanePort: '443',
  };
  t.deepEqual(readDevRequest({ ...devFlags, ...wish }).settings, {
    firewall: 'block',
    vip: '10.5.0.50',
    wireguard: '10.9.0.0/24',
    mirrors: [
      { registry: 'docker.io', url: 'https://one.example' },
      { registry: 'docker.io', url: 'http://10.5.0.1:5000' },
      { registry: '*', url: 'https://all.example' },
    ],
    unverifiedRegistries: ['r.example:5000'],
    debug: true,
    initNode: true,
    controlPlanePort: 443,
  });
  const plain = readDevRequest(devFlags);
  t.deepEqual(plain.settings, { balancer: true });
  for (const key of ['nameservers', 'airgapped', 'imageCache', 'preallocates', 'firmwarePaths'])
    t.false(key in plain, key);
});

const ofFleet = { fleetApiEndpoint: 'https://fleet.example/?jointoken=hidden' };

const wrong: readonly (readonly [Partial<DevFlags>, string])[] = [
  [{ arch: 'arm64' }, '--arch arm64: this version makes'],
  [{ arch: 'riscv64' }, '--arch riscv64: unsupported arch'],
  [{ withFirewall: 'drop' }, '--with-firewall drop: accept or block'],
  [{ useVip: true, initNodeAsEndpoint: true }, '--use-vip and --init-node-as-endpoint'],
  [{ skipKvstoreOrch: true, withInitNode: true }, '--skip-kvstore-orch and --with-init-node'],
  [{ endpoint: 'https://x' }, '--endpoint https://x: an address or a name'],
  [{ skipInjectingConfig: true, configInjectionMethod: 'http' }, '--config-injection-method: not with'],
  [{ withApplyConfig: true, configInjectionMethod: 'cidata' }, 'not with --skip-injecting-config or'],
  [{ fleetApiEndpoint: 'https://fleet.example/?token=hidden' }, '--fleet-api-endpoint: a URL with'],
  [{ useVip: true, cidr: ['10.5.0.0/28'] }, '--use-vip: 10.5.0.0/28 has no host 50'],
  [{ useVip: true, workers: '48' }, '--use-vip: host 50 is one of the 49 nodes'],
  [{ wireguardCidr: 'fd00::/64' }, '--wireguard-cidr fd00::/64: IPv4'],
  [{ wireguardCidr: '10.9.0.0/30', workers: '3' }, '--wireguard-cidr 10.9.0.0/30 has room for 1 nodes'],
  [{ wireguardCidr: '10.5.0.128/25' }, '--wireguard-cidr 10.5.0.128/25: overlaps'],
  [{ wireguardCidr: '10.0.0.0/8' }, '--wireguard-cidr 10.0.0.0/8: overlaps'],
  [{ registryMirror: ['docker.io'] }, '--registry-mirror docker.io: <registry host>='],
  [{ registryMirror: ['a b=https://x'] }, '--registry-mirror a b=https://x'],
  [{ registryMirror: ['docker.io=ftp://x'] }, '--registry-mirror docker.io=ftp://x'],
  [{ registryInsecureSkipVerify: ['https://x'] }, '--registry-insecure-skip-verify https://x'],
  [{ controlPlanePort: '50000' }, '--control-plane-port 50000: 50000, 50001, 53, 4003'],
  [{ controlPlanePort: '0' }, '--control-plane-port 0: 1 to 65535'],
  [{ nameservers: ['one.example'] }, '--nameservers one.example: an address'],
  [{ ipv4: false }, '--ipv4, --ipv6: neither IPv4 nor IPv6 network was enabled'],
  [{ cidr: ['fd00:1::/64'] }, '--cidr fd00:1::/64: give --ipv6'],
  [{ cidr: ['fd00:1::/48'], ipv6: true }, '--cidr fd00:1::/48: IPv6 CIDR of 64 bits expected'],
  [{ cidr: ['fe80::1%lo/64'], ipv6: true }, '--cidr fe80::1%lo/64: IPv6 CIDR of 64 bits expected'],
  [{ cidr: ['10.5.0.0/24', '10.6.0.0/24'] }, '--cidr 10.5.0.0/24,10.6.0.0/24: one network of IPv4 and'],
  [{ ipv4: false, ipv6: true, nameservers: ['10.5.0.9'] }, 'the network is of IPv6 alone'],
  [{ ipv4: false, ipv6: true, ipxeBootScript: 'http://x/' }, '--ipxe-boot-script and --ipv4=false'],
  [{ nameservers: ['2001:db8::1'] }, '--nameservers 2001:db8::1: the network is of IPv4'],
  [{ imageCachePort: '53' }, '--image-cache-port 53: the gateway serves'],
  [{ imageCachePort: '70000' }, '--image-cache-port 70000: 1 to 65535'],
  [{ imageCachePath: '/c', imageCacheTlsKeyFile: '/k' }, '--image-cache-tls-cert-file and'],
  [{ imageCacheTlsCertFile: '/c', imageCacheTlsKeyFile: '/k' }, 'without --image-cache-path'],
  [
    { extraDisks: '1', extraDisksDrivers: ['virtiofs'], extraDisksTags: ['a b'] },
    '--extra-disks-tags a b: at',
  ],
  [
    { extraDisks: '1', extraDisksDrivers: ['virtiofs'], extraDisksSerials: ['A'] },
    '--extra-disks-serials A: v',
  ],
  [{ extraDisks: '1', extraDisksTags: ['data'] }, '--extra-disks-tags data: ide has a serial'],
  [{ extraDisks: '0', extraDisksTags: ['data'] }, '--extra-disks-tags: 1 for 0 extra disks'],
  [
    { extraDisks: '2', extraDisksDrivers: ['virtiofs', 'virtiofs'], extraDisksTags: ['disk1'] },
    '--extra-disks-tags disk1: two have it',
  ],
  [{ extraDisks: '1', extraDisksDrivers: ['virtiofs'], numaNodes: '2' }, '--numa-nodes and virtiofs'],
  [{ dnsDomain: 'a..b' }, '--dns-domain a..b: a domain'],
  [{ lbproxyPort: '70000' }, '--lbproxy-port 70000: 0 to 65535'],
  [{ lbproxyPort: '443', controlPlanePort: '443' }, '--lbproxy-port 443: 50000, 50001, 443 are others'],
  [{ controlPlanePort: '4050' }, '--control-plane-port 4050: '],
  [{ imageCachePort: '4050' }, '--image-cache-port 4050: the gateway serves'],
  [{ orchVersion: 'latest' }, '--orch-version latest: a version'],
  [{ customCniUrl: '/cni.yaml' }, '--custom-cni-url /cni.yaml: http'],
  [{ withMesh: true }, '--with-mesh: give --discovery-endpoint'],
  [
    { withMesh: true, withClusterDiscovery: false, discoveryEndpoint: 'https://d.example' },
    '--with-mesh: not with --with-cluster-discovery=false',
  ],
  [{ discoveryEndpoint: 'd.example' }, '--discovery-endpoint: http'],
  [{ noMasqueradeCidrs: ['10.0.0.0/40'] }, '--no-masquerade-cidrs 10.0.0.0/40: a network'],
  [{ cniBinPath: ['bin'] }, '--cni-bin-path bin: an absolute path'],
  [{ cniConfDir: 'conf.d' }, '--cni-conf-dir conf.d: an absolute path'],
  [{ cniBundleUrl: 'bundle' }, '--cni-bundle-url: http'],
  [{ withBgpClos: true, withBgp: true }, '--with-bgp and --with-bgp-clos: a cluster has one fabric'],
  [{ withBgpClos: true, useVip: true }, '--with-bgp-clos: not with --use-vip'],
  [{ withBgpClos: true, ipv6: true }, '--with-bgp-clos: not with --ipv4=false and --ipv6'],
  [{ withBgpClos: true, withNetworkChaos: true }, '--with-bgp-clos: not with --with-network-chaos'],
  [{ withBgpClos: true, ipxeBootScript: 'http://x/' }, '--with-bgp-clos: iPXE’s script has'],
  [{ withBgpClos: true, configInjectionMethod: 'http' }, '--config-injection-method http: machines have no'],
  [{ withBgpClos: true, cidr: ['10.5.0.0/27'] }, '--with-bgp-clos: 10.5.0.0/27 has no host 50'],
  [{ withLinkagent: 'udp' }, '--with-linkagent udp: none of true, wireguard'],
  [{ ...ofFleet, ipxeBootScript: 'http://x/' }, '--fleet-api-endpoint: iPXE’s script has'],
  [{ ...ofFleet, withApplyConfig: true }, '--with-apply-config: not with --fleet-api-endpoint'],
  [{ withLinkagent: 'true' }, '--with-linkagent true: give --fleet-api-endpoint'],
  [
    { skipInjectingExtraCmdline: true, configInjectionMethod: 'http', isoPath: '/a.iso' },
    '--config-injection-method http: not with --skip-injecting-extra-cmdline',
  ],
  [{ extraUefiSearchPaths: ['firmware'] }, '--extra-uefi-search-paths firmware: an absolute path'],
];

for (const [more, words] of wrong)
  test(`refused: ${words}`, (t) => {
    const error = t.throws(() => readDevRequest({ ...devFlags, ...more }), { code: 'ERR_CLUSTER_REQUEST' });
    t.true(error?.message.startsWith(words) || error?.message.includes(words), error?.message);
    t.is(error?.message.split('\n').length, 1, 'it is the only problem');
  });

const both = { ipv6: true, workers: '0', useVip: true } as const;

test('nodes have addresses of IPv6 beside those of IPv4, of a network that is made of that', (t) => {
  const plan = makePlan(readDevRequest({ ...devFlags, ...both }), id);
  const lan = lanOf(plan);
  t.like(lan, { cidr: '10.5.0.0/24', gateway: '10.5.0.1' });
  t.deepEqual(lan?.ipv6, { cidr: 'fd6f:7300:a05::/64', gateway: 'fd6f:7300:a05::1' });
  t.like(lan?.hosts[0], { address: '10.5.0.2', address6: 'fd6f:7300:a05::2' });
  t.deepEqual(lanProblems(lan!), []);
  t.is(plan.request.settings?.vip, '10.5.0.50');
  t.deepEqual(chosenNodes(plan, ['fd6f:7300:a05::2']), plan.nodes);
});

test('what nodes are told of the orchestrator and of each other is what flags say, and nothing else', (t) => {
  const wish: Partial<DevFlags> = {
    orchVersion: '1.34.2',
    dnsDomain: 'svc.example',
    lbproxyPort: '7446',
    customCniUrl: 'https://x.example/cni.yaml',
    discoveryEndpoint: 'https://d.example',
    withMesh: true,
    withBootloader: false,
  };
  const told = {
    orch: {
      version: 'v1.34.2',
      dnsDomain: 'svc.example',
      balancerPort: 7446,
      networkUrl: 'https://x.example/cni.yaml',
    },
    discovery: 'https://d.example',
    mesh: true,
    noKexec: true,
  } as const;
  t.like(readDevRequest({ ...devFlags, ...wish }).settings, told);
  t.deepEqual(readDevRequest({ ...devFlags, lbproxyPort: '0' }).settings, { balancer: true });
  const none = { withClusterDiscovery: false, discoveryEndpoint: 'https://d.example' };
  t.deepEqual(readDevRequest({ ...devFlags, ...none }).settings, { balancer: true });
  const fleetApiEndpoint = 'https://fleet.example/?jointoken=x';
  for (const withLinkagent of ['true', 'tunnel', 'wireguard+tls'])
    t.notThrows(() => readDevRequest({ ...devFlags, withLinkagent, fleetApiEndpoint }));
});

test('what is accepted without an effect is said, a line each', (t) => {
  t.deepEqual(devNotes(devFlags), []);
  const given = {
    cniBinPath: ['/a', '/b'],
    cniCacheDir: '/c',
    noMasqueradeCidrs: ['10.0.0.0/8', 'fd00::/8'],
  };
  t.notThrows(() => readDevRequest({ ...devFlags, ...given }));
  const [plugins, masquerade, ...others] = devNotes({ ...devFlags, ...given });
  t.regex(plugins ?? '', /^--cni-bin-path, --cni-cache-dir: without effect/);
  t.regex(masquerade ?? '', /^--no-masquerade-cidrs: nothing goes there/);
  t.deepEqual(others, []);
  const { lan } = makePlan(readDevRequest({ ...devFlags, ...given }), id);
  t.deepEqual(lan?.withoutMasquerade, given.noMasqueradeCidrs);
  const half = devNotes({ ...devFlags, withLldp: true, withNfs: true, withBgp: true });
  t.deepEqual(
    half.map((line) => line.split(':')[0]),
    ['--with-lldp', '--with-nfs'],
    'what is in documents is told by these',
  );
});

test('DHCP tells machines of the orchestrator’s domain behind their own, and of their names unless it is told not to', (t) => {
  const linesOf = (more: Partial<DevFlags>): readonly string[] =>
    dnsmasqConfig(lanOf(makePlan(readDevRequest({ ...devFlags, ...more }), id))!).split('\n');
  const search = 'dhcp-option=option:domain-search,example.cluster.internal,svc.example';
  t.true(linesOf({ dnsDomain: 'svc.example' }).includes(search));
  t.false(linesOf({}).some((line) => line.includes('domain-search')));
  const [host] = lanOf(makePlan(readDevRequest(devFlags), id))!.hosts;
  t.true(linesOf({}).includes(`dhcp-host=${host?.mac},10.5.0.2,${host?.name}`));
  const quiet = linesOf({ disableDhcpHostname: true });
  t.true(quiet.includes(`dhcp-host=${host?.mac},10.5.0.2`));
  t.true(quiet.includes('dhcp-ignore-names'));
  t.false(quiet.some((line) => line.startsWith(`host-record=${host?.name}`)));
});

test('a cluster of IPv6 alone has doors of this computer, and everything inside by IPv6', (t) => {
  const cidr = ['10.6.0.0/24', 'fd00:0001::7/64'];
  const plan = makePlan(readDevRequest({ ...devFlags, ...both, cidr, ipv4: false }), id);
  const lan = lanOf(plan);
  t.like(lan, { cidr: 'fd00:1::/64', gateway: 'fd00:1::1', ipv6: undefined });
  t.like(lan?.hosts[0], { address: 'fd00:1::2', address6: undefined });
  t.deepEqual(lan?.doors, [
    { listen: { address: '127.6.0.2', port: 50_000 }, target: { address: 'fd00:1::2', port: 50_000 } },
  ]);
  t.deepEqual(lanProblems(lan!), []);
  t.is(plan.request.settings?.vip, 'fd00:1::32');
});

function presets(more: Partial<DevFlags>): unknown {
  return readDevRequest({ ...devFlags, ...more }).presets;
}

test('nodes are left in maintenance, told by hand, or told of a fleet manager', (t) => {
  t.deepEqual(presets({ skipInjectingConfig: true }), ['disk-image', 'maintenance']);
  t.deepEqual(presets({ skipInjectingConfig: true, withApplyConfig: true }), ['disk-image']);
  t.deepEqual(presets({ withApplyConfig: true }), ['disk-image']);
  const fleetApiEndpoint = 'https://fleet.example/?jointoken=hidden';
  const request = readDevRequest({ ...devFlags, fleetApiEndpoint });
  t.is(request.fleet, 'https://fleet.example');
  t.is(request.injection, 'metal-iso', 'nothing takes a link alone over its API');
  t.is(readDevRequest({ ...devFlags, fleetApiEndpoint, configInjectionMethod: 'http' }).injection, 'http');
  t.is(readDevRequest({ ...devFlags, fleetApiEndpoint, skipInjectingConfig: true }).injection, undefined);
  t.notRegex(JSON.stringify(request), /hidden/);
});

test('extra disks by virtiofs are directories, by their tags, of workers or of all machines', (t) => {
  const flags = {
    ...devFlags,
    extraDisks: '4',
    extraDisksDrivers: ['virtiofs', 'nvme', 'virtiofs'],
    extraDisksSerials: ['', 'N1'],
    extraDisksTags: ['data'],
  };
  const shape = (more: Partial<DevFlags>): unknown =>
    makePlan(readDevRequest({ ...flags, ...more }), id).nodes.map(({ disks, shares }) => [
      disks.map(({ driver, serial }) => `${driver} ${serial}`),
      shares,
    ]);
  const all = ['virtio 2-0', 'nvme N1', 'ide 2-2'];
  t.deepEqual(shape({}), [
    [['virtio 1-0'], undefined],
    [all, ['data', 'disk2']],
  ]);
  t.deepEqual(shape({ extraDisksOnControlplanes: true }), [
    [
      ['virtio 1-0', 'nvme N1', 'ide 1-2'],
      ['data', 'disk2'],
    ],
    [all, ['data', 'disk2']],
  ]);
});

test('the gateway divides the orchestrator’s API among the control plane, unless the endpoint is another', (t) => {
  const plan = makePlan(readDevRequest({ ...devFlags, controlplanes: '2', controlPlanePort: '443' }), id);
  t.deepEqual(lanOf(plan)?.balancers, [
    {
      port: 443,
      targets: [
        { address: '10.5.0.2', port: 443 },
        { address: '10.5.0.3', port: 443 },
      ],
    },
  ]);
  for (const other of [{ useVip: true }, { initNodeAsEndpoint: true }])
    t.false('balancers' in (lanOf(makePlan(readDevRequest({ ...devFlags, ...other }), id)) ?? {}));
  const same = { imageCachePath: '/cache', imageCachePort: '6443' };
  t.throws(() => readDevRequest({ ...devFlags, ...same }), { message: /--image-cache-port 6443: the orch/ });
});

test('a user in the URL of a mirror is not repeated', (t) => {
  const registryMirror = ['docker.io=https://user:hidden@x.example'];
  const error = t.throws(() => readDevRequest({ ...devFlags, registryMirror }));
  t.regex(error?.message ?? '', /with a user in it/);
  t.notRegex(error?.message ?? '', /hidden/);
});

test('DHCP names the servers that are asked for; nothing leads out of an airgapped network', (t) => {
  const nameservers = ['192.0.2.1', '192.0.2.2'];
  const plan = makePlan(readDevRequest({ ...devFlags, nameservers, airgapped: true }), id);
  const lines = dnsmasqConfig(lanOf(plan)!).split('\n');
  t.true(lines.includes('dhcp-option=option:dns-server,192.0.2.1,192.0.2.2'));
  t.true(lines.includes('no-resolv'));
  t.false(lines.some((line) => line.startsWith('server=')));
  t.deepEqual(plan.lan?.outlets, []);
  t.is(plan.lan?.uplink, undefined);
  t.true(makePlan(readDevRequest(devFlags), id).lan?.uplink);
  t.notRegex(dnsmasqConfig(lanOf(makePlan(readDevRequest(devFlags), id))!), /dns-server/);
});

test('firmware is looked for behind the usual place, and a place that is none is told before', async (t) => {
  const directory = await temporaryDirectory(t);
  const paths = [join(directory, 'there'), join(directory, 'missing')];
  await mkdir(paths[0]!);
  const request = readDevRequest({ ...devFlags, extraUefiSearchPaths: paths });
  const plan = makePlan(request, id);
  t.deepEqual(machineOf(plan, plan.nodes[0]!).firmwarePaths, paths);
  const told = preflightProblems(request).join('\n');
  t.true(told.includes(`${paths[1]} is missing`));
  t.false(told.includes(`${paths[0]} is missing`));
});

test('a cache that is none and its certificate are told before anything is made', async (t) => {
  const imageCachePath = await temporaryDirectory(t);
  const tls = { imageCacheTlsCertFile: '/no/crt.pem', imageCacheTlsKeyFile: '/no/key.pem' };
  const request = readDevRequest({ ...devFlags, imageCachePath, ...tls });
  t.deepEqual(request.imageCache, {
    path: imageCachePath,
    port: 5000,
    tls: { certFile: '/no/crt.pem', keyFile: '/no/key.pem' },
  });
  const told = preflightProblems(request).join('\n');
  for (const path of [join(imageCachePath, 'manifests'), '/no/crt.pem', '/no/key.pem'])
    t.true(told.includes(`${path} is missing`), path);
});

test('disks get all of their blocks, keep what is on them, and are not begun where there is no room', async (t) => {
  const plan = makePlan(readDevRequest({ ...devFlags, disk: '2', primaryDisks: '2', workers: '0' }), id);
  const directory = new ClusterDirectory(await temporaryDirectory(t), 'example');
  const [node] = plan.nodes;
  const own = directory.node(node!);
  await mkdir(own, { recursive: true });
  const system = join(own, '1-0.disk');
  await writeFile(system, 'there');
  execFileSync('truncate', ['--size=2M', system]);
  const none = { code: 'ERR_CLUSTER_PREFLIGHT', message: /want 4 MiB more, and 3 MiB are free/ };
  await t.throwsAsync(
    preallocateDisks(directory, plan.nodes, t.fail, () => Promise.resolve(3.5 * 2 ** 20)),
    none,
  );
  t.true((await stat(system)).blocks * 512 < 2 ** 20, 'nothing was taken');
  await preallocateDisks(directory, plan.nodes, t.fail);
  for (const name of ['1-0.disk', '1-1.disk']) {
    const { size, blocks } = await stat(join(own, name));
    t.is(size, 2 * 2 ** 20);
    t.true(blocks * 512 >= size, name);
  }
  t.is((await readFile(system, 'utf8')).slice(0, 5), 'there');
});

import test from 'ava';

import {
  bridgeCommands,
  dnsmasqConfig,
  hostAddress,
  hostAddress6,
  lanProblems,
  type LanSpec,
  parseCidr6,
  preflightProblems,
} from '../src/index.ts';
import { addressCommands } from '../src/host-namespaces.ts';
import { resolversIn } from '../src/resolvers.ts';
import { cablesOf } from '../src/spec.ts';
import { uplinkRules } from '../src/uplink-commands.ts';

const spec: LanSpec = {
  namespace: 'os-example',
  cidr: '10.5.0.0/24',
  gateway: '10.5.0.1',
  mtu: 1500,
  domain: 'example.cluster',
  hosts: [
    { name: 'example-controlplane-1', mac: '02:00:00:00:00:01', address: '10.5.0.2', tap: 'tap0-0' },
    { name: 'example-worker-1', mac: '02:00:00:00:00:02', address: '10.5.0.3', tap: 'tap1-0' },
  ],
  doors: [],
  outlets: [],
};

test('each host has its address and name by its card, and nobody else is answered', (t) => {
  const lines = dnsmasqConfig(spec).split('\n');
  t.true(lines.includes('dhcp-host=02:00:00:00:00:01,10.5.0.2,example-controlplane-1'));
  t.true(lines.includes('host-record=example-worker-1,example-worker-1.example.cluster,10.5.0.3'));
  t.true(lines.includes('dhcp-range=10.5.0.0,static,255.255.255.0,300'));
  t.true(lines.includes('dhcp-ignore=tag:!known'));
  t.true(lines.includes('no-resolv'));
  t.true(lines.includes('dhcp-range=fd6f:7300:a05:0::,static,64,300'));
});

test('other names are asked of servers that there are, as this computer does, and nothing private is', (t) => {
  t.notRegex(dnsmasqConfig(spec), /^server=|bogus-priv/m);
  const lines = dnsmasqConfig(spec, ['192.0.2.53', '192.0.2.54']).split('\n');
  for (const line of ['server=192.0.2.53', 'server=192.0.2.54', 'domain-needed', 'bogus-priv', 'no-resolv'])
    t.true(lines.includes(line), line);
});

test('servers of names on loopback, or in the network itself, are not asked from inside', (t) => {
  const text = `# nameserver 192.0.2.1
nameserver 127.0.0.53
nameserver  10.5.0.9
nameserver fe80::1%eth0
nameserver 192.0.2.53 # trailing
nameserver 192.0.2.53,server=evil
search example
`;
  t.deepEqual(resolversIn(text, '10.5.0.0/24'), ['192.0.2.53']);
  t.deepEqual(resolversIn('nameserver 10.5.0.9', '10.6.0.0/24'), ['10.5.0.9']);
});

test('what leaves a network is neither its link’s nor for networks that would see another address', (t) => {
  const rules = uplinkRules({ families: [] }, ['10.1.2.3/8', 'fd00::/8']);
  for (const each of ['10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16'])
    t.true(rules.includes(`oifname "out0" ip daddr ${each} reject`), each);
  t.false(rules.includes('fd00'));
});

test('only iPXE is told what to start from, where there is something', (t) => {
  t.notRegex(dnsmasqConfig(spec), /dhcp-boot|dhcp-match/);
  const bootScript = 'http://10.5.0.1/0123/boot.ipxe';
  const lines = dnsmasqConfig({ ...spec, bootScript }).split('\n');
  t.true(lines.includes('dhcp-match=set:ipxe,175'));
  t.true(lines.includes(`dhcp-boot=tag:ipxe,${bootScript}`));
  // An address of IPv6 for the card alone, which would wait for it; what is started asks without that word, and gets none.
  t.true(lines.includes('dhcp-userclass=set:card,iPXE'));
  t.true(lines.includes('dhcp-range=tag:card,fd6f:7300:a05:0::,static,64,300'));
  t.true(lines.includes('dhcp-host=02:00:00:00:00:01,[fd6f:7300:a05:0::2]'));
  t.notRegex(dnsmasqConfig(spec), /tag:card|set:card/);
  for (const wrong of ['http://a,b', 'http://a\nb', 'tftp://a', ''])
    t.deepEqual(lanProblems({ ...spec, bootScript: wrong }), [`boot script ${wrong}`]);
});

test('a host behind a router has cables that lead to the gateway alone, and passes the same rules', (t) => {
  const [first, ...others] = spec.hosts;
  if (first === undefined) throw new TypeError('there is a host');
  const host = { ...first, links: ['tap0-0', 'tap0-1'] };
  const behind = { ...spec, hosts: [host, ...others] };
  t.deepEqual(lanProblems(behind), []);
  t.deepEqual(bridgeCommands(behind).split('\n').slice(6, 11), [
    'tuntap add dev tap0-0 mode tap vnet_hdr',
    'link set tap0-0 addrgenmode none',
    'address add fe80::1/64 dev tap0-0 nodad',
    'link set tap0-0 mtu 1500 up',
    'tuntap add dev tap0-1 mode tap vnet_hdr',
  ]);
  const rules = uplinkRules({ families: [] }, [], cablesOf(behind));
  t.regex(rules, /iifname \{ "br0", "tap0-0", "tap0-1" \} oifname \{ "br0", "tap0-0", "tap0-1" \} accept/);
  t.deepEqual(lanProblems({ ...behind, hosts: [host, { ...others[0]!, tap: 'tap0-1' }] }), [
    'two hosts have one tap',
  ]);
  t.deepEqual(lanProblems({ ...behind, hosts: [{ ...host, namespace: 'os-example-1' }] }), [
    `${host.name}: a host in a namespace has one cable, at the bridge`,
  ]);
});

test('a host in a namespace of its own has a cable to the bridge, and its address from the start', (t) => {
  const [first, ...others] = spec.hosts;
  if (first === undefined) throw new TypeError('there is a host');
  const host = { ...first, namespace: 'os-example-1' };
  const housed = { ...spec, hosts: [host, ...others] };
  t.deepEqual(lanProblems(housed), []);
  const lines = bridgeCommands(housed).split('\n');
  t.deepEqual(lines.slice(6, 9), [
    'link add tap0-0 mtu 1500 type veth peer name eth0 address 02:00:00:00:00:01 mtu 1500 netns os-example-1',
    'link set tap0-0 master br0 up',
    'tuntap add dev tap1-0 mode tap vnet_hdr',
  ]);
  t.is(
    addressCommands(host, housed),
    `link set lo up
address add 10.5.0.2/24 dev eth0
link set eth0 up
route add default via 10.5.0.1
`,
  );
  const twice = {
    ...housed,
    hosts: [host, ...others.map((each) => ({ ...each, namespace: host.namespace }))],
  };
  t.deepEqual(lanProblems(twice), ['two hosts have one namespace']);
});

test('a door is on loopback, unless it is said to be public', (t) => {
  const door = { listen: { address: '0.0.0.0', port: 80 }, target: { address: '10.5.0.2', port: 80 } };
  t.deepEqual(lanProblems({ ...spec, doors: [door] }), ['door 0.0.0.0 is not on loopback']);
  t.deepEqual(lanProblems({ ...spec, doors: [{ ...door, isPublic: true }] }), []);
});

const dual: LanSpec = {
  ...spec,
  ipv6: { cidr: 'fd00:1::/64', gateway: 'fd00:1::1' },
  hosts: spec.hosts.map((host, at) => ({ ...host, address6: `fd00:1::${at + 2}` })),
  nameservers: ['192.0.2.1', '2001:db8::1'],
};

test('with IPv6 each host has an address of it and a name, and who advertises says that it comes by DHCP', (t) => {
  t.deepEqual(lanProblems(dual), []);
  const lines = dnsmasqConfig(dual).split('\n');
  t.true(lines.includes('dhcp-host=02:00:00:00:00:01,10.5.0.2,[fd00:1::2],example-controlplane-1'));
  t.true(lines.includes('host-record=gateway.example.cluster,10.5.0.1,fd00:1::1'));
  t.true(lines.includes('dhcp-range=fd00:1::,static,64,300'));
  t.true(lines.includes('ra-param=br0,mtu:1500,60,0'));
  t.true(lines.includes('dhcp-option=option6:dns-server,[2001:db8::1]'));
  t.regex(
    bridgeCommands(dual),
    /^address add 10\.5\.0\.1\/24 dev br0\naddress add fd00:1::1\/64 dev br0 nodad$/m,
  );
});

test('a network of IPv6 alone has nothing of IPv4', (t) => {
  const { ipv6, ...others } = dual;
  const hosts = spec.hosts.map((host, at) => ({ ...host, address: `fd00:1::${at + 2}` }));
  const alone = { ...others, ...ipv6, hosts, nameservers: [] };
  t.deepEqual(lanProblems(alone), []);
  t.notRegex(dnsmasqConfig(alone) + bridgeCommands(alone), /\d\.\d/);
  const wrong = { ...alone, nameservers: ['192.0.2.1'], gateway: 'fd00:2::1' };
  t.deepEqual(lanProblems(wrong), ['gateway fd00:2::1 is not in fd00:1::/64', 'server of names 192.0.2.1']);
});

test('a host without an address of each family is no host of a network with both', (t) => {
  const [first, ...others] = dual.hosts;
  const hosts = [{ ...first!, address6: 'fd00:2::2' }, ...others];
  t.deepEqual(lanProblems({ ...dual, hosts }), ['example-controlplane-1: fd00:2::2 is not in fd00:1::/64']);
  t.deepEqual(lanProblems({ ...dual, hosts: spec.hosts.slice(0, 1) }), [
    'example-controlplane-1: none of its addresses is in fd00:1::/64',
  ]);
  t.deepEqual(lanProblems({ ...dual, ipv6: { cidr: 'fd00:1::/48', gateway: 'fd00:1::1' } }), [
    'fd00:1::/48 is no network',
  ]);
});

test('addresses of IPv6 are counted from their network, in their shortest form', (t) => {
  t.is(parseCidr6('FD00:0001:0:0:7::7/64'), 'fd00:1::/64');
  t.is(hostAddress6('fd00:1::/64', 0x1_0001), 'fd00:1::1:1');
  for (const text of ['fd00::/63', 'fd00::', 'fe80::1%lo/64', '10.5.0.0/24', ''])
    t.is(parseCidr6(text), undefined, text);
});

test('bridge and taps come from one list of commands', (t) => {
  t.is(
    bridgeCommands(spec),
    `link set lo up
link add br0 mtu 1500 type bridge forward_delay 0
link set br0 addrgenmode none
address add fe80::1/64 dev br0 nodad
address add 10.5.0.1/24 dev br0
address add fd6f:7300:a05:0::1/64 dev br0 nodad
tuntap add dev tap0-0 mode tap vnet_hdr
link set tap0-0 mtu 1500 master br0 up
tuntap add dev tap1-0 mode tap vnet_hdr
link set tap1-0 mtu 1500 master br0 up
link set br0 up
`,
  );
});

test('all that is wrong with a network is said at once', (t) => {
  const [first] = spec.hosts;
  const wrong: LanSpec = {
    ...spec,
    gateway: '10.6.0.1',
    mtu: 100,
    hosts: [{ ...first!, name: 'a b\n', address: '10.5.1.2', tap: 'a tap that is long' }, first!, first!],
    doors: [{ listen: { address: '0.0.0.0', port: 1 }, target: { address: '10.5.0.2', port: 1 } }],
    outlets: [{ port: 1, target: { address: '192.0.2.1', port: 1 } }],
  };
  t.is(lanProblems(wrong).length, 11);
  t.deepEqual(lanProblems(spec), []);
  t.deepEqual(lanProblems({ ...spec, cidr: '10.5.0.0' }), ['10.5.0.0 is no network']);
});

test('addresses are counted from the network, also across its bytes', (t) => {
  t.is(hostAddress({ address: '10.5.0.77', length: 24 }, 2), '10.5.0.2');
  t.is(hostAddress({ address: '192.168.255.0', length: 16 }, 257), '192.168.1.1');
});

test('what a computer lacks is said at once', (t) => {
  const bare = { makesNamespaces: () => false, canOpen: () => false, hasProgram: () => false };
  const found = preflightProblems(bare);
  t.is(found.length, 6);
  t.true(found.some((line) => line.includes('dnsmasq-base')));
  t.deepEqual(
    preflightProblems({ makesNamespaces: () => true, canOpen: () => true, hasProgram: () => true }),
    [],
  );
});

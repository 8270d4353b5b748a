import { hostname, type NetworkInterfaceInfo } from 'node:os';

import test from 'ava';

import { nodeNames, sameNames } from '../src/certificates/node-names.ts';

function info(address: string): NetworkInterfaceInfo {
  const rest = { netmask: '', mac: '', internal: false, cidr: null };
  return address.includes(':')
    ? { ...rest, address, family: 'IPv6', scopeid: 2 }
    : { ...rest, address, family: 'IPv4' };
}

test('a node is called by its addresses, and not by those that need a zone: each container brings one', (t) => {
  const veths = Array.from({ length: 300 }, (_, index) => [
    `veth${index}`,
    [info(`fe80::${index.toString(16)}`)],
  ]);
  const interfaces = {
    lo: [info('127.0.0.1'), info('::1')],
    eth0: [info('10.0.0.7'), info('fd00::7'), info('fe80::7%eth0'), info('FEBF::1')],
    eth1: undefined,
    ...(Object.fromEntries(veths) as Record<string, NetworkInterfaceInfo[]>),
  };
  t.deepEqual(nodeNames(interfaces), [
    ...new Set([hostname(), 'localhost', '127.0.0.1', '::1', '10.0.0.7', 'fd00::7']),
  ]);
});

test('the order in which interfaces come does not make other names', (t) => {
  t.true(sameNames(['a', 'b'], ['b', 'a']));
  t.false(sameNames(['a', 'b'], ['a']));
});

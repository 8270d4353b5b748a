import test from 'ava';

import { parse } from '@nodecore/config';
import { refused, unmark } from '../fixtures/marked.ts';

function document(kind: string, fields: string): string {
  return `---\napiVersion: v1alpha1\nkind: ${kind}\n${fields}\n`;
}

const bond = (name: string, links: string): string =>
  document('BondConfig', `name: ${name}\nlinks: [${links}]\nbondMode: active-backup`);
const bridge = (name: string, links: string): string =>
  document('BridgeConfig', `name: ${name}\nlinks: [${links}]`);
const vlan = (name: string, id: string, parent = 'eth0'): string =>
  document('VLANConfig', `name: ${name}\nvlanID: ${id}\nparent: ${parent}`);
const vrf = (name: string, table: string, links = ''): string =>
  document('VRFConfig', `name: ${name}\nlinks: [${links}]\ntable: ${table}`);
const link = (name: string, address = '10.0.0.5/24'): string =>
  document('LinkConfig', `name: ${name}\naddresses: [{address: ${address}}]`);
const veth = (name: string, peer: string): string =>
  document('VethConfig', `name: ${name}\npeer: {name: ${peer}}`);
const vip = (kind: string, address: string): string =>
  document(kind, `name: ${address}\nlink: eth0${kind === 'HCloudVIPConfig' ? '\napiToken: a' : ''}`);
const bgp = (name: string, more = ''): string =>
  document('BGPInstanceConfig', `name: ${name}\nlocalASN: 1\nneighbors: [{link: eth0}]${more}`);

const cases: readonly (readonly [code: string, marked: string])[] = [
  ['name.clash', `${link('eth0')}${document('DummyLinkConfig', 'name: §eth0')}`],
  ['name.clash', `${document('DummyLinkConfig', 'name: a')}${veth('b', '§a')}`],
  ['name.clash', `${vip('Layer2VIPConfig', '10.0.0.9')}${vip('HCloudVIPConfig', '§10.0.0.9')}`],
  ['link.taken', `${bond('b0', 'eth0')}${bridge('br0', 'eth1, §eth0')}`],
  ['link.taken', `${bridge('br0', 'eth0')}${vrf('blue', '7', '§eth0')}`],
  ['vlan.taken', `${vlan('a', '7')}${vlan('b', '§7')}`],
  ['vrf.table', `${vrf('blue', '7')}${vrf('red', '§7')}`],
  ['link.address_taken', `${link('eth0')}${link('eth1', '§10.0.0.5/16')}`],
  ['vip.static', `${link('eth0')}${vip('Layer2VIPConfig', '§10.0.0.5')}`],
  ['bgp.vrf', bgp('a', '\nvrf: §blue')],
  ['bgp.vrf', `${bgp('a')}${bgp('§b')}`],
  ['bgp.vrf', `${vrf('blue', '7')}${bgp('a', '\nvrf: blue')}${bgp('b', '\nvrf: §blue')}`],
  ['bgp.import', bgp('a', '\nimportRoutes: [{bgpInstance: §b, prefixes: [10.0.0.0/8]}]')],
];

test('documents of the network that contradict each other are named at their place', (t) => {
  for (const [code, marked] of cases) {
    const { text, line, column } = unmark(marked);
    t.deepEqual(refused(text), [{ code, line, column }], marked);
  }
});

test('documents of the network that only look alike stand beside each other', (t) => {
  for (const text of [
    vlan('a', '7') + vlan('b', '7', 'eth1') + vlan('c', '8'),
    bond('b0', 'eth0') + bridge('br0', 'b0'),
    vrf('blue', '7') +
      bgp('a') +
      bgp('b', '\nvrf: blue\nimportRoutes: [{bgpInstance: a, prefixes: [10.0.0.0/8]}]'),
    link('eth0') + vip('Layer2VIPConfig', '10.0.0.6'),
  ])
    t.deepEqual(refused(text), [], text);
});

function lockedOut(text: string): object[] {
  using configuration = parse(text);
  return configuration.warnings
    .filter(({ code }) => code === 'firewall.locked_out')
    .map(({ path, line, column }) => ({ path, line, column }));
}

test('a firewall that keeps everybody from the API is warned of', (t) => {
  const block = document('NetworkDefaultActionConfig', 'ingress: block');
  const rule = (ports: string, protocol = 'tcp', from = '{subnet: 10.0.0.0/8}'): string =>
    document(
      'NetworkRuleConfig',
      `name: a\nportSelector: {ports: [${ports}], protocol: ${protocol}}\ningress: [${from}]`,
    );
  const place = [{ path: 'ingress', line: 4, column: 10 }];
  t.deepEqual(lockedOut(block), place);
  t.deepEqual(lockedOut(block + rule('49999')), place);
  t.deepEqual(lockedOut(block + rule('50000', 'udp')), place);
  t.deepEqual(lockedOut(block + rule('50000', 'tcp', '')), place);
  t.deepEqual(lockedOut(block + rule('"1000-60000"')), []);
  t.deepEqual(lockedOut(document('NetworkDefaultActionConfig', 'ingress: accept')), []);
});

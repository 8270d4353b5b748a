import test from 'ava';
import { parseDocument } from 'yaml';

import { ConfigError, patchConfiguration } from '@nodecore/config';

const head = (kind: string, name: string): string => `apiVersion: v1alpha1\nkind: ${kind}\n${name}`;
const resolver = head(
  'ResolverConfig',
  'nameservers:\n  - {address: 10.0.0.1}\n  - {address: 10.0.0.2}\nsearchDomains: {domains: [a, b]}\n',
);
const rule = head(
  'NetworkRuleConfig',
  'name: web\nportSelector: {ports: [80], protocol: tcp}\ningress:\n  - {subnet: 10.0.0.0/8}\n',
);
const wireguard = head(
  'WireguardConfig',
  `name: wg0
peers:
  - publicKey: a # the first
    endpoint: 10.0.0.1:1
    allowedIPs: [10.1.0.0/16]
  - {publicKey: b, endpoint: "10.0.0.2:1"}
`,
);

function patched(text: string, patch: string): unknown {
  return parseDocument(patchConfiguration(text, [{ text: patch }])).toJS();
}

const to = (peers: string): any => patched(wireguard, `kind: WireguardConfig\nname: wg0\npeers: ${peers}`);

function codes(text: string, patch: string): string[] {
  try {
    patchConfiguration(text, [{ text: patch }]);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ code, line, column }) => `${code} ${line}:${column}`);
  }
}

test('a list gets the items that it does not have, and keeps the others', (t) => {
  t.like(patched(resolver, 'kind: ResolverConfig\nsearchDomains: {domains: [b, c]}'), {
    searchDomains: { domains: ['a', 'b', 'c'] },
    nameservers: [{ address: '10.0.0.1' }, { address: '10.0.0.2' }],
  });
});

test('a list that begins with $patch: replace takes the place of the one that is there', (t) => {
  t.like(patched(resolver, 'kind: ResolverConfig\nsearchDomains: {domains: [{$patch: replace}, c]}'), {
    searchDomains: { domains: ['c'] },
  });
  t.like(
    patched(resolver, 'kind: ResolverConfig\nnameservers:\n  - $patch: replace\n  - {address: 10.0.0.3}'),
    {
      nameservers: [{ address: '10.0.0.3' }],
    },
  );
  t.like(patched(resolver, 'kind: ResolverConfig\nsearchDomains: {domains: [{$patch: replace}]}'), {
    searchDomains: { domains: [] },
  });
  const added = `---\n${head('StaticHostConfig', 'name: 10.0.0.1\nhostnames: [{$patch: replace}, a]\n')}`;
  t.true(patchConfiguration(resolver, [{ text: added }]).includes('hostnames: [ a ]'));
});

test('a list whose description says so is replaced, and cleared by null alone', (t) => {
  t.like(patched(rule, 'kind: NetworkRuleConfig\nname: web\nportSelector: {ports: [443]}'), {
    portSelector: { ports: [443], protocol: 'tcp' },
    ingress: [{ subnet: '10.0.0.0/8' }],
  });
  t.is((patched(rule, 'kind: NetworkRuleConfig\nname: web\ningress: null') as any).ingress, undefined);
});

test('items with a name are merged, replaced and deleted by it, at any depth', (t) => {
  t.deepEqual(to('[{publicKey: b, endpoint: "10.0.0.9:1"}]').peers, [
    { publicKey: 'a', endpoint: '10.0.0.1:1', allowedIPs: ['10.1.0.0/16'] },
    { publicKey: 'b', endpoint: '10.0.0.9:1' },
  ]);
  t.deepEqual(to('[{publicKey: a, allowedIPs: [10.2.0.0/16], endpoint: null}]').peers[0], {
    publicKey: 'a',
    allowedIPs: ['10.1.0.0/16', '10.2.0.0/16'],
  });
  t.deepEqual(to('[{publicKey: a, $patch: delete}]').peers, [{ publicKey: 'b', endpoint: '10.0.0.2:1' }]);
  t.deepEqual(to('[{publicKey: a, $patch: replace}]').peers[0], { publicKey: 'a' });
  t.deepEqual(to('[{publicKey: a, allowedIPs: [{$patch: replace}]}]').peers[0].allowedIPs, []);
});

test('a directive for an item that has no name, or does not say it, is refused', (t) => {
  t.deepEqual(
    codes(resolver, 'kind: ResolverConfig\nnameservers:\n  - {address: 10.0.0.1, $patch: delete}'),
    ['patch.directive 3:5'],
  );
  t.deepEqual(codes(wireguard, 'kind: WireguardConfig\nname: wg0\npeers: [{$patch: delete}]'), [
    'patch.directive 3:9',
  ]);
});

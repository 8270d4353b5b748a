import test from 'ava';
import { stringify } from 'yaml';

import { differences, patchBetween, patchConfiguration } from '@nodecore/config';
import { readSource } from '../src/source.ts';
import { isEqual } from '../src/patch/nodes.ts';
import { randomFrom } from './fixtures/mutation.ts';
import { allKinds, exampleOf } from './kind/described.ts';

type Random = (below: number) => number;

const head = (kind: string): string => `apiVersion: v1alpha1\nkind: ${kind}\n`;
const wireguard = `${head('WireguardConfig')}name: wg0
privateKey: AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
peers:
  - {publicKey: ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=, endpoint: "10.0.0.1:1", allowedIPs: [10.1.0.0/16]}
  - {publicKey: QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8=, endpoint: "10.0.0.2:1"}
`;

/** A value with something else in one place: a field less, an item more, a list turned round, another word. */
function changed(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) {
    const items = value as unknown[];
    if (items.length === 0 || random(4) === 0) return [...items, `new ${random(9)}`];
    if (random(4) === 0) return items.toReversed();
    const at = random(items.length);
    if (random(3) === 0) return items.filter((_, index) => index !== at);
    return items.map((item, index) => (index === at ? changed(item, random) : item));
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0 || random(5) === 0)
      return { ...value, [`new${random(9)}`]: random(2) === 0 ? {} : null };
    const at = random(entries.length);
    if (random(4) === 0) return Object.fromEntries(entries.filter((_, index) => index !== at));
    return Object.fromEntries(
      entries.map(([name, one], index) => [name, index === at ? changed(one, random) : one]),
    );
  }
  return random(3) === 0 ? { [`in${random(3)}`]: value } : `other ${random(100)}`;
}

function withHead(kind: string, value: unknown): string {
  const body = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  if (kind === 'machine') return stringify({ ...body, version: 'v1alpha1' });
  const { name } = exampleOf(kind) as { name?: unknown };
  return stringify({ ...body, apiVersion: 'v1alpha1', kind, ...(name === undefined ? {} : { name }) });
}

function sameMeaning(one: string, other: string): boolean {
  const [a, b] = [one, other].map(
    (text) => new Map(readSource(text, undefined).documents.map(({ identity, map }) => [identity, map])),
  );
  return a?.size === b?.size && [...(a ?? [])].every(([identity, map]) => isEqual(map, b?.get(identity)));
}

test('the patch between two configurations makes the one of the other, whatever is different', (t) => {
  const random = randomFrom(20_261_124);
  const all = allKinds;
  for (let round = 0; round < all.length * 2; round += 1) {
    const others = Array.from({ length: random(4) }, () => all[random(all.length)] ?? '');
    const chosen = new Set([all[round % all.length] ?? '', ...others]);
    const some = (): string =>
      [...chosen]
        .filter(() => random(5) > 0)
        .map((kind) => {
          let value: unknown = exampleOf(kind);
          for (let times = random(4); times > 0; times -= 1) value = changed(value, random);
          return withHead(kind, value);
        })
        .join('---\n');
    const [before, after] = [some(), some()];
    const patch = patchBetween(before, after);
    const made = patch === '' ? before : patchConfiguration(before, [{ text: patch }]);
    t.true(sameMeaning(made, after), `round ${round}:\n${before}\nto\n${after}\nby\n${patch}`);
  }
});

test('comments, layout and the order of fields and documents are no difference', (t) => {
  const [a, b] = [
    `${head('ZswapConfig')}maxPoolPercent: 20 # a fifth\n`,
    `${head('SysctlConfig')}params: {a: "1", b: "2"}\n`,
  ];
  const other = `# two\n${head('SysctlConfig')}params:\n  b: '2'\n  a: "1"\n---\nkind: ZswapConfig\nmaxPoolPercent: 20\napiVersion: v1alpha1\n`;
  t.is(patchBetween(`${a}---\n${b}`, other), '');
  t.deepEqual(differences(`${a}---\n${b}`, other), []);
});

test('items with a name are patched by it, and told apart by it', (t) => {
  const after = wireguard.replace('10.0.0.2:1', '10.0.0.3:1').replace(', allowedIPs: [10.1.0.0/16]', '');
  t.is(
    patchBetween(wireguard, after),
    `${head('WireguardConfig')}name: wg0
peers:
  - publicKey: ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=
    allowedIPs: null
  - publicKey: QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8=
    endpoint: "10.0.0.3:1"
`,
  );
  t.deepEqual(
    differences(wireguard, after).map(({ path, change, before, after: now }) => [path, change, before, now]),
    [
      [
        'peers[publicKey="ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="].allowedIPs',
        'removed',
        '["10.1.0.0/16"]',
        undefined,
      ],
      [
        'peers[publicKey="QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8="].endpoint',
        'changed',
        '"10.0.0.2:1"',
        '"10.0.0.3:1"',
      ],
    ],
  );
});

const servers = (...addresses: readonly string[]): string =>
  `${head('TimeSyncConfig')}ntp: {servers: [${addresses.join(', ')}]}\n`;

test('a list without names gets what is new, and is replaced where something went or the order is another', (t) => {
  const patch = (after: string): string => patchBetween(servers('a', 'b'), after).split('ntp:\n')[1] ?? '';
  t.is(patch(servers('a', 'b', 'c')), '  servers:\n    - c\n');
  t.is(patch(servers('b')), '  servers:\n    - $patch: replace\n    - b\n');
  t.is(patch(servers('b', 'a')), '  servers:\n    - $patch: replace\n    - b\n    - a\n');
  const twice = servers('a', 'b', 'a');
  const made = patchConfiguration(servers('a', 'b'), [{ text: patchBetween(servers('a', 'b'), twice) }]);
  t.true(sameMeaning(made, twice), 'an item that is there already is added, too');
});

const authorizer = (name: string, type: string): string =>
  `${head('OrchAuthorizerConfig')}name: ${name}\ntype: ${type}\n`;

test('the order of authorizers is a difference, which a patch brings about', (t) => {
  const [before, after] = [
    `${authorizer('node', 'Node')}---\n${authorizer('rbac', 'RBAC')}`,
    `${authorizer('rbac', 'RBAC')}---\n${authorizer('node', 'Node')}`,
  ];
  const made = patchConfiguration(before, [{ text: patchBetween(before, after) }]);
  t.deepEqual(
    readSource(made, undefined).documents.map(({ identity }) => identity),
    ['OrchAuthorizerConfig/rbac', 'OrchAuthorizerConfig/node'],
  );
});

test('a secret that changed says so, and neither value is shown', (t) => {
  const after = wireguard.replace('AAECAwQF', 'BBECAwQF');
  t.deepEqual(differences(wireguard, after), [
    {
      document: 'WireguardConfig/wg0',
      path: 'privateKey',
      change: 'changed',
      before: '"******"',
      after: '"****** (changed)"',
    },
  ]);
  const shown = patchBetween(wireguard, after, { hidden: true });
  t.is(shown, `${head('WireguardConfig')}name: wg0\nprivateKey: "****** (changed)"\n`);
  t.true(patchBetween(wireguard, after).includes('BBECAwQF'));
});

test('a whole document that comes or goes is one difference, the root document among them', (t) => {
  const root = 'version: v1alpha1\nmachine: {type: worker}\n';
  const sysctl = `${head('SysctlConfig')}params: {a: "1"}\n`;
  t.is(patchBetween(`${root}---\n${sysctl}`, sysctl), 'version: v1alpha1\n$patch: delete\n');
  t.is(patchBetween(sysctl, `${sysctl}---\n${root}`), 'version: v1alpha1\nmachine: { type: worker }\n');
  t.is(
    patchBetween(root, sysctl),
    `version: v1alpha1\n$patch: delete\n---\n${head('SysctlConfig')}params: { a: "1" }\n`,
  );
  t.deepEqual(differences('', sysctl), [{ document: 'SysctlConfig', path: '', change: 'added' }]);
  t.deepEqual(differences(sysctl, ''), [{ document: 'SysctlConfig', path: '', change: 'removed' }]);
});

const volume = (size: string): string =>
  `${head('RawVolumeConfig')}name: a\nprovisioning: {minSize: ${size}, diskSelector: {match: "true"}}\n`;

test('a number that JavaScript can not hold keeps its digits', (t) => {
  const patch = patchBetween(volume('9007199254740993'), volume('9007199254740995'));
  t.regex(patch, /minSize: "?9007199254740995"?/u);
});

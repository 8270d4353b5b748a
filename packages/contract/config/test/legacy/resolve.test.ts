import test from 'ava';

import { migrate, parse, type Configuration, type Kind } from '@nodecore/config';
import { Secret } from '@nodecore/sys';
import { kinds } from '../../src/kind/kinds.ts';
import { moves } from '../../src/legacy/moves/all.ts';
import { type Pair, pairs } from '../fixtures/legacy-pairs.ts';
import { problemsOf } from '../fixtures/problems.ts';
import { key, rootWith } from '../fixtures/root.ts';

/** Values as they can be compared: secrets by what they hold, expressions by their text. */
function comparable(value: unknown): unknown {
  if (value instanceof Secret) return `secret ${value.bytes.toString('latin1')}`;
  if (value instanceof URL) return value.href;
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, one]) => [String(name), comparable(one)] as const));
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? 'function' : value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]));
}

function valuesOf(configuration: Configuration): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...kinds.keys()].flatMap((kind) => {
      const all = configuration.all(kind as Kind).map(comparable);
      return all.length === 0 ? [] : [[kind, all]];
    }),
  );
}

const documentsOf = (documents: Pair[2]): string =>
  documents
    .map(([kind, fields]) => `---\napiVersion: v1alpha1\nkind: ${kind}\n${fields === '{}' ? '' : fields}`)
    .join('');

for (const [index, [machine, cluster, documents]] of pairs.entries())
  test(`fields of the root come to the values of their documents, and go there: ${index} ${documents.map(([kind]) => kind).join()}`, (t) => {
    using legacy = parse(rootWith(machine, cluster));
    using modern = parse(rootWith('') + documentsOf(documents));
    t.deepEqual(valuesOf(legacy), valuesOf(modern));
    const { text, left } = migrate(rootWith(machine, cluster));
    t.deepEqual(left, []);
    using migrated = parse(text);
    t.deepEqual(valuesOf(migrated), valuesOf(modern), text);
    t.deepEqual(
      migrated.warnings.filter(({ document }) => document === 'machine'),
      [],
      text,
    );
  });

test('every move has a case', (t) => {
  const all = pairs.map(([machine, cluster]) => rootWith(machine, cluster)).join('\n');
  for (const { from } of moves)
    for (const path of from) t.true(all.includes(`${path.split('.').at(-1)}:`), path);
});

const sysctls = (text: string): string =>
  `---\napiVersion: v1alpha1\nkind: SysctlConfig\nparams: {${text}}\n`;

test('where documents and the root add up, the document wins for each name, and both origins are known', (t) => {
  const text =
    rootWith('  sysctls:\n    vm.swappiness: 1\n    kernel.panic: 2\n') + sysctls('kernel.panic: 3');
  using configuration = parse(text);
  t.deepEqual(Object.fromEntries(configuration.effective('SysctlConfig')?.params ?? []), {
    'vm.swappiness': '1',
    'kernel.panic': '3',
  });
  t.deepEqual(configuration.origin('SysctlConfig', 'params', 'vm.swappiness'), {
    from: 'document',
    document: 'machine',
    line: 6,
    column: 20,
  });
  t.deepEqual(configuration.origin('SysctlConfig', 'params', 'kernel.panic'), {
    from: 'document',
    document: 'SysctlConfig',
    line: 11,
    column: 24,
  });
  t.deepEqual(configuration.origin('SysctlConfig', 'params', 'a.b'), { from: 'default' });
  const { text: migrated } = migrate(text);
  t.false(migrated.includes('sysctls'));
  t.regex(migrated, /params: \{ ?kernel\.panic: 3, vm\.swappiness: 1 ?\}/u);
});

test('a value that a field of the root turns into another has its origin there', (t) => {
  using configuration = parse(rootWith('  time:\n    disabled: true\n'));
  t.is(configuration.effective('TimeSyncConfig')?.enabled, false);
  const origin = { from: 'document', document: 'machine', line: 6, column: 15 } as const;
  t.deepEqual(configuration.origin('TimeSyncConfig', 'enabled'), origin);
});

const volume = (fields: string): string =>
  `---\napiVersion: v1alpha1\nkind: VolumeConfig\nname: STATE\n${fields}`;

test('a key of a volume in both forms is refused at the root, a volume document about something else is not', (t) => {
  const root = rootWith(
    '  systemDiskEncryption:\n    state: {provider: luks2, keys: [{slot: 0, nodeID: {}}]}\n',
  );
  const both = problemsOf(root + volume('encryption: {provider: luks2, keys: [{slot: 1, nodeID: {}}]}\n'));
  t.deepEqual(
    both.map(({ code, path, line, column }) => [code, path, line, column]),
    [['root.replaced', 'machine.systemDiskEncryption.state', 6, 12]],
  );
  const ephemeral =
    root.replace('state:', 'ephemeral:') +
    volume('').replace('STATE', 'EPHEMERAL') +
    'provisioning: {maxSize: 80%}\n';
  using configuration = parse(ephemeral);
  t.is(configuration.systemVolume('EPHEMERAL').encryption?.keys.length, 1);
  t.not(configuration.systemVolume('EPHEMERAL').provisioning.maxSize, undefined);
});

test('what no document says stays in the root, with the reason, and is warned of once', (t) => {
  const cases: readonly (readonly [path: string, why: RegExp, machine: string, cluster?: string])[] = [
    ['machine.kubelet', /extraMounts/u, '  kubelet: {extraMounts: [{destination: /a}]}\n'],
    [
      'machine.network.interfaces',
      /deviceSelector/u,
      '  network: {interfaces: [{deviceSelector: {driver: x}}]}\n',
    ],
    [
      'machine.network.interfaces',
      /left alone/u,
      '  network: {interfaces: [{interface: a, ignore: true}]}\n',
    ],
    [
      'machine.network.interfaces',
      /its bridge/u,
      '  network: {interfaces: [{interface: a, bridgePort: {master: b}}]}\n',
    ],
    [
      'machine.network.interfaces',
      /cloud/u,
      '  network: {interfaces: [{interface: a, vip: {ip: 10.0.0.9, equinixMetal: {apiToken: x}}}]}\n',
    ],
    ['machine.install', /extraKernelArgs/u, '  install: {disk: /dev/sda, extraKernelArgs: [a=b]}\n'],
    ['machine.install', /names no disk/u, '  install: {image: "a.example/x:1"}\n'],
    ['machine.pods', /metadata\.name/u, '  pods: [{kind: Pod}]\n'],
    ['cluster.discovery', /no endpoint/u, '', '  discovery: {enabled: true}\n'],
    ['cluster.serviceAccount', /endpoint of the cluster/u, '', `  serviceAccount: {key: ${key}}\n`],
    [
      'cluster.apiServer',
      /extraVolumes/u,
      '',
      '  apiServer: {extraVolumes: [{hostPath: /a, mountPath: /a}]}\n',
    ],
  ];
  for (const [path, why, machine, cluster = ''] of cases) {
    const text = rootWith(machine, cluster);
    const made = migrate(text);
    t.is(made.text, text, path);
    t.deepEqual(made.moved, [], path);
    t.is(made.left[0]?.from, path);
    t.regex(made.left[0]?.why ?? '', why);
    using configuration = parse(text);
    const found = configuration.warnings.filter((one) => one.path === path && one.code === 'kind.no_effect');
    t.is(found.length, 1, path);
    t.regex(found[0]?.message ?? '', why);
  }
});

test('programs of the control plane mean nothing on a worker: they are no documents there, and stay', (t) => {
  const text = rootWith('', '  proxy: {disabled: true}\n', 'worker');
  using configuration = parse(text);
  t.is(configuration.get('OrchProxyConfig'), undefined);
  t.deepEqual(migrate(text).left, [{ from: 'cluster.proxy', why: 'only a control plane has it' }]);
});

test('every comment of a large root is there after it was migrated', (t) => {
  const text = rootWith(
    '  # of names\n  network: # the network\n    # this one\n    hostname: a # so\n  # disks\n  time:\n    servers: # ours\n      # first\n      - a.example # near\n',
    '  # the proxy\n  proxy:\n    # off\n    disabled: true # for now\n',
  );
  const { text: migrated, left } = migrate(text);
  t.deepEqual(left, []);
  for (const comment of [
    'of names',
    'the network',
    'this one',
    'so',
    'disks',
    'ours',
    'first',
    'near',
    'the proxy',
    'off',
    'for now',
  ])
    t.true(migrated.includes(`# ${comment}`), `${comment}\n${migrated}`);
});

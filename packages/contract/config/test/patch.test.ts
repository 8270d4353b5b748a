import { readdir, readFile } from 'node:fs/promises';

import test from 'ava';
import { parseAllDocuments } from 'yaml';

import { ConfigError, parse, patchConfiguration, type Problem } from '@nodecore/config';
import { userVolume } from './fixtures/problems.ts';

const config = `# of the storage team
apiVersion: v1alpha1
kind: UserVolumeConfig
name: data # the fast one
provisioning:
  diskSelector:
    match: disk.transport == "nvme" # not the slow ones
  minSize: 50GiB
  maxSize: -10% # leave a tenth
encryption:
  provider: luks2
  keys:
    # made at the factory
    - slot: 0
      nodeID: {}
    - slot: 1
      static: {passphrase: correct horse}
---
apiVersion: v1alpha1
kind:   SwapVolumeConfig    # laid out by hand
name:   swap
provisioning: {diskSelector: {match: 'system_disk'}, maxSize: 4GiB}
`;

const patched = (...texts: string[]): string =>
  patchConfiguration(
    config,
    texts.map((text) => ({ text })),
  );
const toData = (fields: string): string => patched(`kind: UserVolumeConfig\nname: data\n${fields}\n`);

function problemsOf(patch: string, text: string = config): readonly Problem[] {
  try {
    patchConfiguration(text, [{ text: patch, file: 'patch.yaml' }]);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const findings = (patch: string): string[] =>
  problemsOf(patch).map(({ code, line, column }) => `${line}:${column} ${code}`);

test('a merged field replaces its value and nothing else, comments included', (t) => {
  t.is(toData('provisioning: {minSize: 60GiB}'), config.replace('minSize: 50GiB', 'minSize: 60GiB'));
  t.is(toData('provisioning: {maxSize: 80%}'), config.replace('maxSize: -10% #', 'maxSize: 80% #'));
});

test('a patch that sets what is there already gives back the very same text', (t) => {
  t.is(toData('provisioning: {minSize: "50GiB"}'), config);
  t.is(toData('encryption: {keys: [{slot: 0, nodeID: {}}]}'), config);
});

test('a patch of the mount or of the encryption clears neither the selector nor a size', (t) => {
  for (const fields of [
    'mount: {secure: false}',
    'encryption: {allowDiscards: true}',
    'provisioning: {grow: true}',
  ]) {
    using configuration = parse(toData(fields));
    const { provisioning } = configuration.all('UserVolumeConfig')[0] ?? {};
    t.is(provisioning?.diskSelector?.text, 'disk.transport == "nvme"', fields);
    t.is(provisioning?.minSize, 50n << 30n);
    t.like(provisioning?.maxSize, { kind: 'percent', negative: true, digits: 10n, decimals: 0 });
  }
});

function maxSizeAfter(text: string): unknown {
  using configuration = parse(toData(`provisioning: {maxSize: ${text}}`));
  return configuration.all('UserVolumeConfig')[0]?.provisioning.maxSize;
}

test('a size that replaces one of another form leaves nothing of it behind', (t) => {
  t.deepEqual(maxSizeAfter('80%'), {
    kind: 'percent',
    digits: 80n,
    decimals: 0,
    negative: false,
    text: '80%',
  });
  t.deepEqual(maxSizeAfter('60GiB'), { kind: 'bytes', bytes: 60n << 30n, negative: false, text: '60GiB' });
  t.deepEqual(maxSizeAfter('-60GiB'), { kind: 'bytes', bytes: 60n << 30n, negative: true, text: '-60GiB' });
});

test('null and $patch: delete clear a field, a key by its slot, and a document', (t) => {
  for (const gone of ['maxSize: null', 'maxSize: ~', 'maxSize: {$patch: delete}'])
    t.is(toData(`provisioning: {${gone}}`), config.replace('  maxSize: -10% # leave a tenth\n', ''), gone);
  using one = parse(toData('encryption: {keys: [{slot: 1, $patch: delete}]}'));
  t.deepEqual(
    one.all('UserVolumeConfig')[0]?.encryption?.keys.map(({ slot }) => slot),
    [0],
  );
  const [first = ''] = config.split('---\n');
  t.is(patched('{kind: SwapVolumeConfig, name: swap, $patch: delete}'), first);
  t.false(patched('{kind: UserVolumeConfig, name: data, $patch: delete}').includes('correct horse'));
});

test('keys are merged by slot, other lists get what they do not have', (t) => {
  const fields =
    'encryption: {options: [same_cpu_crypt], keys: [{slot: 1, lockToState: true}, {slot: 2, tpm: {}}]}';
  const text = toData(fields);
  t.is(patchConfiguration(text, [{ text: `kind: UserVolumeConfig\nname: data\n${fields}` }]), text); // once is enough
  using configuration = parse(text);
  t.like(configuration.all('UserVolumeConfig')[0]?.encryption, { options: ['same_cpu_crypt'] });
  t.deepEqual(
    configuration
      .all('UserVolumeConfig')[0]
      ?.encryption?.keys.map(({ slot, kind, lockToState }) => [slot, kind, lockToState]),
    [
      [0, 'nodeID', false],
      [1, 'static', true],
      [2, 'tpm', false],
    ],
  );
  t.true(text.includes('# made at the factory'));
});

test('$patch: replace puts a mapping in the place of another', (t) => {
  using configuration = parse(
    toData('provisioning: {$patch: replace, diskSelector: {match: "true"}, maxSize: 5GiB}'),
  );
  const { provisioning } = configuration.all('UserVolumeConfig')[0] ?? {};
  t.is(provisioning?.diskSelector?.text, 'true');
  t.is(provisioning?.minSize, 100n << 20n);
});

test('a document that is not there is added; the others keep their layout', (t) => {
  const added = userVolume('mount: {secure: null}').replace('name: data', 'name: logs');
  const text = patched(added);
  t.true(text.startsWith(config));
  using configuration = parse(text);
  t.deepEqual(
    configuration.all('UserVolumeConfig').map(({ name }) => name),
    ['data', 'logs'],
  );
  t.true(toData('mount: {secure: false}').endsWith(config.split('---\n')[1] ?? '?'));
  t.deepEqual(findings('name: data'), ['1:1 kind.required']);
});

test('a number that JavaScript can not hold survives a patch', (t) => {
  const text = userVolume('', 'minSize: 9007199254740993');
  using configuration = parse(
    patchConfiguration(text, [{ text: 'kind: UserVolumeConfig\nname: data\nmount: {secure: false}' }]),
  );
  t.is(configuration.all('UserVolumeConfig')[0]?.provisioning.minSize, 9_007_199_254_740_993n);
});

test('operations of RFC 6902 name their document by kind and name', (t) => {
  const at = '/UserVolumeConfig~1data';
  const text = patched(`
- {op: test, path: ${at}/provisioning/minSize, value: 50GiB}
- {op: replace, path: ${at}/provisioning/minSize, value: 60GiB}
- {op: add, path: ${at}/mount, value: {secure: false}}
- {op: add, path: ${at}/encryption/keys/0, value: {slot: 7, tpm: {}}}
- {op: add, path: ${at}/encryption/keys/-, value: {slot: 8, nodeID: {}}}
- {op: move, from: ${at}/mount, path: /SwapVolumeConfig~1swap/mount}
- {op: copy, from: ${at}/provisioning/minSize, path: /SwapVolumeConfig~1swap/provisioning/minSize}
- {op: remove, path: /SwapVolumeConfig~1swap/mount}
- {op: add, path: /RawVolumeConfig~1osd, value: {apiVersion: v1alpha1, kind: RawVolumeConfig, name: osd, provisioning: {diskSelector: {match: "true"}, maxSize: 50%}}}
`);
  const [data, swap, raw] = parseAllDocuments(text).map((document) => document.toJS());
  t.is(data.provisioning.minSize, '60GiB');
  t.is(data.mount, undefined);
  t.deepEqual(
    data.encryption.keys.map((key: any) => key.slot),
    [7, 0, 1, 8],
  );
  t.is(swap.provisioning.minSize, '60GiB');
  t.is(raw.name, 'osd');
  t.true(text.includes('# leave a tenth'));
  const json = JSON.stringify([{ op: 'remove', path: '/SwapVolumeConfig~1swap' }]);
  t.is(patched(json), config.split('---\n')[0] ?? '');
});

test('an operation adds a document of every kind, also of one with a digit in its name', (t) => {
  for (const kind of ['SysctlConfig', 'DHCPv4Config', 'Layer2VIPConfig']) {
    const value = { apiVersion: 'v1alpha1', kind, name: 'enp0s2' };
    const operations = JSON.stringify([{ op: 'add', path: `/${kind}~1enp0s2`, value }]);
    const before = 'apiVersion: v1alpha1\nkind: ZswapConfig\nmaxPoolPercent: 10\n';
    const made = patchConfiguration(before, [{ text: operations }]);
    t.deepEqual(parseAllDocuments(made)[1]?.toJS(), value, made);
  }
});

test('without a document in its path an operation means the only one, or the root document', (t) => {
  const only = userVolume('');
  t.true(
    patchConfiguration(only, [{ text: '[{op: add, path: /mount, value: {secure: false}}]' }]).includes(
      'secure: false',
    ),
  );
  t.deepEqual(findings('[{op: add, path: /mount, value: {secure: false}}]'), ['1:18 patch.document']);
  t.deepEqual(findings('[{op: replace, path: /UserVolumeConfig~1data, value: null}]'), ['1:47 wrong_type']);
});

test('what does not apply is reported where it is, and changes nothing', (t) => {
  const at = '/UserVolumeConfig~1data';
  const rows: readonly [string, string][] = [
    ['', '1:1 patch.empty'],
    ['just text', '1:1 wrong_type'],
    ['kind: UserVolumeConfig\nname: data\nmount: &a {}', '3:11 yaml.anchor'],
    ['kind: UserVolumeConfig\nname: data\nmount: {$patch: merge}', '3:17 patch.directive'],
    ['kind: UserVolumeConfig\nname: gone\n$patch: delete', '1:1 patch.document_missing'],
    [`[{op: add, path: ${at}/mount}]`, '1:2 required'],
    ['[{op: add, path: mount, value: 1}]', '1:18 patch.pointer'],
    [`[{op: add, path: ${at}/a~2, value: 1}]`, '1:18 patch.pointer'],
    [`[{op: put, path: ${at}/mount, value: 1}]`, '1:7 patch.operation'],
    [`[{op: remove, path: ${at}/mount}]`, '1:21 patch.path_missing'],
    [`[{op: replace, path: ${at}/encryption/keys/2, value: {}}]`, '1:22 patch.path_missing'],
    [`[{op: add, path: ${at}/encryption/keys/3, value: {}}]`, '1:18 patch.path_missing'],
    [`[{op: add, path: ${at}/name/x, value: 1}]`, '1:18 patch.path_missing'],
    [`[{op: test, path: ${at}/name, value: other}]`, '1:56 patch.test'],
    [`[{op: move, from: ${at}/encryption, path: ${at}/encryption/keys}]`, '1:61 patch.into_itself'],
    [
      '[{op: add, path: /RawVolumeConfig~1osd, value: {kind: RawVolumeConfig, name: other}}]',
      '1:48 patch.document',
    ],
  ];
  for (const [patch, finding] of rows) t.deepEqual(findings(patch), [finding], patch);
});

test('no problem of a patch holds a value of it', (t) => {
  const secret = 'hunter-two';
  const patches = [
    `kind: UserVolumeConfig\nname: data\nencryption: {keys: [{slot: 1, static: {passphrase: ${secret}, $patch: ${secret}}}]}`,
    `[{op: test, path: /UserVolumeConfig~1data/encryption/keys/1/static/passphrase, value: ${secret}}]`,
    `[{op: add, path: ${secret}, value: ${secret}}]`,
    `${secret}: [`,
  ];
  for (const patch of patches) {
    const problems = problemsOf(patch);
    t.true(problems.length > 0, patch);
    t.false(JSON.stringify(problems).includes(secret), patch);
  }
});

test('of every field of every good file: a patch that has it alone changes nothing', async (t) => {
  const directory = new URL('fixtures/volumes/', import.meta.url);
  const names = (await readdir(directory)).filter((name) => !name.startsWith('bad-'));
  let fields = 0;
  for (const name of names) {
    const text = await readFile(new URL(name, directory), 'utf8');
    for (const document of parseAllDocuments(text).map(
      (one) => one.toJS() as Record<string, unknown> | null,
    )) {
      if (document === null) continue;
      const { apiVersion: _, kind, name: documentName, ...rest } = document;
      for (const field of leaves(rest)) {
        fields += 1;
        const identity = { kind, ...(documentName === undefined ? {} : { name: documentName }) };
        t.is(patchConfiguration(text, [{ text: JSON.stringify({ ...identity, ...field }) }]), text, name);
      }
    }
  }
  t.true(fields > 150, `${fields}`);
});

/** Each leaf of a value, alone in the mappings that lead to it; a list is a leaf. */
function leaves(value: Record<string, unknown>): Record<string, unknown>[] {
  return Object.entries(value).flatMap(([name, part]) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return [{ [name]: part }];
    const inner = leaves(part as Record<string, unknown>);
    return inner.map((leaf) => ({ [name]: leaf }));
  });
}

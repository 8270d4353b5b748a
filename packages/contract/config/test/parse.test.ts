import test from 'ava';

import { ConfigError, formatProblem, parse } from '@nodecore/config';
import { codesOf, problemsOf, systemVolume, userVolume } from './fixtures/problems.ts';

test('documents come in the order of the text, and the text is kept', (t) => {
  const text = `# node\n---\n${userVolume('')}---\n${systemVolume('EPHEMERAL')}---\n# nothing here\n`;
  using configuration = parse(text);
  t.is(configuration.text, text);
  t.deepEqual(configuration.documents, [
    { kind: 'UserVolumeConfig', name: 'data', identity: 'UserVolumeConfig/data', line: 3, column: 1 },
    { kind: 'VolumeConfig', name: 'EPHEMERAL', identity: 'VolumeConfig/EPHEMERAL', line: 9, column: 1 },
  ]);
  t.is(configuration.machine, undefined);
});

test('every problem of every document is reported at once, in the order of the text', (t) => {
  const text = `apiVersion: v1
kind: UserVolumeConfig
name: a_b
bogus: 1
provisioning:
  minSize: 2GiB
  maxSize: 1GiB
---
kind: VolumeConfig
apiVersion: v1alpha1
name: STATE
mount: {}
---
apiVersion: v1alpha1
kind: Nonsense
`;
  const error = t.throws(() => parse(text, { file: 'node.yaml' }), { instanceOf: ConfigError });
  t.is(error.code, 'ERR_CONFIG_INVALID');
  t.is(error.message, 'node.yaml has 7 problems');
  t.deepEqual(
    error.problems.map((problem) => formatProblem(problem).replace(problem.message, '-')),
    [
      'node.yaml:1:13: UserVolumeConfig apiVersion: - (invalid_value)',
      'node.yaml:3:7: UserVolumeConfig name: - (name.characters)',
      'node.yaml:4:1: UserVolumeConfig bogus: - (unknown_field)',
      'node.yaml:6:3: UserVolumeConfig provisioning: - (disk_selector.required)',
      'node.yaml:6:12: UserVolumeConfig provisioning.minSize: - (size.min_gt_max)',
      'node.yaml:12:8: VolumeConfig/STATE mount: - (state.fixed)',
      'node.yaml:15:7: Nonsense kind: - (kind.unknown)',
    ],
  );
});

test('a document with broken syntax does not hide the problems of the others', (t) => {
  const text = `${userVolume('filesystem: {type: ext4')}---\n${systemVolume('NONE')}`;
  t.deepEqual([...new Set(codesOf(text))], ['yaml.syntax', 'invalid_value']);
});

test('a kind that does not exist is told apart from a document without a kind', (t) => {
  t.deepEqual(codesOf('apiVersion: v1alpha1\nkind: Swap'), ['kind.unknown']);
  t.deepEqual(codesOf('apiVersion: v1alpha1\nname: a'), ['kind.required']);
});

test('what YAML offers beyond plain data is refused', (t) => {
  const cases: Record<string, string> = {
    'a: &x 1\nb: 2': 'yaml.anchor',
    'a: &x 1\nb: *x': 'yaml.anchor yaml.alias',
    '<<: {b: 2}': 'yaml.merge',
    'a: {b: &x {c: 1}}\nd: {<<: *x}': 'yaml.anchor yaml.merge yaml.alias',
    'a: !!binary AAAA': 'yaml.tag',
    'a: 1\na: 2': 'yaml.duplicate_key',
    '? [1, 2]\n: x': 'yaml.key',
    '1: x': 'yaml.key',
    '%YAML 1.1\n---\na: yes': 'yaml.directive',
    '- a': 'wrong_type',
    'just text': 'wrong_type',
    'a: [': 'yaml.syntax',
    '\ta: 1': 'yaml.syntax',
  };
  for (const [text, code] of Object.entries(cases)) t.is(codesOf(text).join(' '), code, text);
});

test('a merge key is named where it stands, and is a field when it is quoted', (t) => {
  const [problem] = problemsOf(userVolume('mount:\n  <<: {secure: true}'));
  t.like(problem, { code: 'yaml.merge', path: 'mount' });
  t.regex(problem?.message ?? '', /merge keys \(<<\) are not accepted/);
  const [line = '', place = ''] =
    userVolume('mount:\n  <<: {secure: true}').split('<<')[0]?.split('\n').slice(-2) ?? [];
  t.is(line, 'mount:');
  t.is(problem?.column, place.length + 1);
  t.deepEqual(codesOf(userVolume('mount:\n  "<<": {secure: true}')), ['unknown_field']);
});

test('a nested duplicate key is reported with its path and second place', (t) => {
  const [problem] = problemsOf(userVolume('mount:\n  secure: true\n  secure: false'));
  t.like(problem, { code: 'yaml.duplicate_key', path: 'mount.secure', line: 7, column: 3 });
});

test('an empty text is no configuration', (t) => {
  for (const text of ['', '\n', '---\n', '# only a comment\n', '---\n---\n']) {
    t.deepEqual(codesOf(text), ['document.none'], JSON.stringify(text));
  }
});

test('texts that would exhaust a parser are refused before they do', (t) => {
  t.deepEqual(codesOf('['.repeat(20_000)), ['yaml.too_large']);
  t.deepEqual(codesOf('- '.repeat(5000)), ['yaml.too_large']);
  t.deepEqual(codesOf(`a: ${'x'.repeat(1 << 20)}`), ['yaml.too_large']);
});

test('a key counts as given before only where it was one: not with an anchor, nor as a merge', (t) => {
  const head = 'apiVersion: v1alpha1\nkind: SysctlConfig\n';
  for (const rest of ['', Array.from({ length: 20 }, (_, index) => `  k${index}: "1"\n`).join('')]) {
    t.deepEqual(codesOf(`${head}params:\n  &a x: "1"\n  x: "2"\n${rest}`), ['yaml.key']);
    t.deepEqual(codesOf(`${head}params:\n  <<: {y: "1"}\n  "<<": "2"\n${rest}`), ['yaml.merge']);
    t.deepEqual(codesOf(`${head}params:\n  x: "1"\n  x: "2"\n${rest}`), ['yaml.duplicate_key']);
  }
});

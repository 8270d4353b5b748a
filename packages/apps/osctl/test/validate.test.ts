import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { temporaryDirectory } from '@nodecore/testkit';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';
import { sarifProblems } from './sarif-shape.ts';

const volume = `apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
provisioning: {diskSelector: {match: disk.size > 0}, minSize: 1GiB}
`;

test('a valid configuration is said to be valid', async (t) => {
  const file = join(await temporaryDirectory(t), 'node.yaml');
  await writeFile(file, volume);
  const { code, out, error } = await osctl(['validate', '-c', file, '-m', 'metal']);
  t.is(code, 0);
  t.is(out, `${file} is valid for metal mode\n`);
  t.regex(
    error,
    /^warning: .*node\.yaml:1:1: UserVolumeConfig\/data: no root document .* \(machine\.missing\)\n$/u,
  );
});

test('every problem has a line with its place and code', async (t) => {
  const input = volume.replace('minSize: 1GiB', 'minSize: 2GiB, maxSize: 1GiB, bogus: 1');
  const { code, out, error } = await osctl(['validate', '-c', '-', '-m', 'cloud'], { input });
  t.is(code, 1);
  t.is(out, '');
  t.deepEqual(error.split('\n'), [
    '<stdin>:4:63: UserVolumeConfig/data provisioning.minSize: minSize is larger than maxSize (size.min_gt_max)',
    '<stdin>:4:84: UserVolumeConfig/data provisioning.bogus: unknown field bogus (unknown_field)',
    'osctl: <stdin> is not valid for cloud mode: 2 problems',
    '',
  ]);
});

const terms = Array<string>(3000).fill('disk.rotational').join(' || ');
/** What stands in a document of the volume above, and where it is wrong. */
const selectors: readonly (readonly [string, string])[] = [
  [
    `'timestamp("2009-02-13T23:31:30Z").getHours("Nowhere/X") == 0'`,
    '4:82: .* there is no time zone Nowhere/X',
  ],
  [`'disk.sise > 1'`, '4:44: .*; did you mean size\\?'],
  [`'disk.size > 0 && disk.model == 5'`, '4:56: .* no such operator: string == int'],
  [`'${terms}'`, '4:32807: .* longer than 32768 characters'],
  [`'${'!'.repeat(20_000)}true'`, '4:239: .* too many parts in each other'],
];

for (const [match, problem] of selectors) {
  test(`a selector that can't be used is a problem with its place: ${problem}`, async (t) => {
    const input = volume.replace('disk.size > 0', () => match);
    const { code, out, error } = await osctl(['validate', '-c', '-', '-m', 'cloud'], { input });
    t.is(code, 1);
    t.is(out, '');
    t.regex(error, new RegExp(`^<stdin>:${problem}.* \\(disk_selector\\.invalid\\)$`, 'mu'));
    t.regex(error, /is not valid for cloud mode: 1 problem$/mu);
  });
}

test('a selector that only disks can fail is valid', async (t) => {
  for (const match of [
    'dyn(disk.size) in [100000000000]',
    '!(7 in [])',
    '[].all(e, e > 0) && disk.size / 0u == 1u',
  ]) {
    const input = volume.replace('disk.size > 0', `'${match}'`);
    t.is((await osctl(['validate', '-c', '-', '-m', 'cloud'], { input })).code, 0, match);
  }
});

test('strict turns warnings into problems, a container refuses volumes', async (t) => {
  t.is((await osctl(['validate', '-c', '-', '-m', 'metal', '--strict'], { input: volume })).code, 1);
  const { code, error } = await osctl(['validate', '-c', '-', '-m', 'container'], { input: volume });
  t.is(code, 1);
  t.regex(error, /\(mode\.container\)/u);
});

test('a missing file, a missing mode and an unknown mode are usage errors', async (t) => {
  for (const args of [
    ['-c', '/nowhere', '-m', 'metal'],
    ['-c', '-'],
    ['-c', '-', '-m', 'moon'],
  ]) {
    t.is((await osctl(['validate', ...args], { input: volume })).code, 2, args.join(' '));
  }
});

test('bytes that are not UTF-8 are refused in every text that the command line names', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'latin1');
  await writeFile(file, Buffer.concat([Buffer.from('kind: a\nname: caf'), Buffer.of(0xe9)]));
  const input = await readFile(file);
  const own = join(directory, 'osconfig');
  const good = join(directory, 'good.yaml');
  await writeFile(good, volume);
  for (const [args, place] of [
    [['validate', '-m', 'metal', '-c', file], `${file}:2:10`],
    [['validate', '-m', 'metal', '-c', '-'], '<stdin>:2:10'],
    [['apply-config', '-f', file], `${file}:2:10`],
    [['apply-config', '-f', '-'], '<stdin>:2:10'],
    [['apply-config', '-f', good, '-p', `@${file}`], `${file}:2:10`],
    [['machineconfig', 'patch', file, '-p', '{}'], `${file}:2:10`],
    [['machineconfig', 'patch', good, '-p', `@${file}`], `${file}:2:10`],
    [['patch', 'mc', '--patch-file', file], `${file}:2:10`],
    [['--osconfig', own, 'config', 'merge', file], `${file}:2:10`],
    [['--osconfig', file, 'config', 'contexts'], `${file}:2:10`],
    [['--osconfig', own, 'config', 'add', 'a', '--ca', file], `${file}:2:10`],
    [['gen', 'secrets', '--from-controlplane-config', file, '-o', own], `${file}:2:10`],
    [['gen', 'config', 'c', 'https://c:6443', '--with-secrets', file, '-o', own], `${file}:2:10`],
    [['pcap', '-i', 'lo', '--bpf-filter', `@${file}`], `${file}:2:10`],
    [['cgroups', '--schema-file', file], `${file}:2:10`],
  ] as const) {
    const { code, error } = await osctl(args, { input });
    t.not(code, 0, args.join(' '));
    t.true(error.includes(`${place}: this byte is not part of a UTF-8 text: save it as UTF-8`), error);
  }
});

test('a patch in whose argument bytes were replaced is refused, too', async (t) => {
  const file = join(await temporaryDirectory(t), 'node.yaml');
  await writeFile(file, volume);
  const { code, error } = await osctl([
    'mc',
    'patch',
    file,
    '-p',
    '{kind: UserVolumeConfig, name: caf\uFFFD}',
  ]);
  t.is(code, 2);
  t.regex(error, /the patch of -p is not UTF-8 in whole; put it in a file and give -p @<file>/);
});

test('findings can be told as JSON, with the same exit codes', async (t) => {
  const command = ['validate', '-c', '-', '-m', 'metal', '-o', 'json'];
  const good = await osctl(command, { input: volume });
  t.is(good.code, 0);
  t.like(JSON.parse(good.out), { file: '<stdin>', mode: 'metal', valid: true, problems: [] });
  const input = volume.replace('minSize: 1GiB', 'minSize: 2GiB, maxSize: 1GiB');
  const bad = await osctl(command, { input });
  t.is(bad.code, 1);
  t.is(bad.error, 'osctl: <stdin> is not valid for metal mode: 1 problem\n');
  const { valid, problems } = JSON.parse(bad.out) as { valid: boolean; problems: readonly object[] };
  t.false(valid);
  t.like(problems[0], { line: 4, column: 63, path: 'provisioning.minSize', code: 'size.min_gt_max' });
});

const wrong = volume.replace('minSize: 1GiB', 'minSize: 2GiB, maxSize: 1GiB');

test('several files are checked each by itself, and one that is wrong does not hide the others', async (t) => {
  const directory = await temporaryDirectory(t);
  const files = ['a', 'b', 'c'].map((name) => join(directory, `${name}.yaml`));
  for (const [index, text] of [volume, wrong, volume].entries()) await writeFile(files[index] ?? '', text);
  const { code, out, error } = await osctl([
    'validate',
    '-m',
    'metal',
    '-c',
    files[0] ?? '',
    ...files.slice(1),
  ]);
  t.is(code, 1);
  t.is(out, `${files[0]} is valid for metal mode\n${files[2]} is valid for metal mode\n`);
  t.true(error.includes(`${files[1]}:4:63: `));
  t.true(error.endsWith('osctl: 1 of 3 files are not valid for metal mode: 1 problem\n'));
  const json = await osctl(['validate', '-m', 'metal', '-o', 'json', ...files]);
  t.deepEqual(
    (JSON.parse(json.out) as { valid: boolean }[]).map(({ valid }) => valid),
    [true, false, true],
  );
  t.is((await osctl(['validate', '-m', 'metal', '-', '-c', '-'], { input: volume })).code, 2);
});

test('findings can be told as SARIF 2.1.0, with the same exit codes', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'a b#1.yaml');
  await writeFile(file, wrong);
  const { code, out } = await osctl(['validate', '-m', 'metal', '-o', 'sarif', file, '-c', '-'], {
    input: volume,
  });
  t.is(code, 1);
  const log = JSON.parse(out) as { runs: { results: unknown[]; artifacts: unknown[] }[] };
  t.deepEqual(sarifProblems(log), []);
  t.deepEqual(log.runs[0]?.artifacts, [
    { location: { uri: 'stdin' } },
    { location: { uri: `file://${directory}/a%20b%231.yaml` } },
  ]);
  const [warning, problem] = (log.runs[0]?.results ?? []) as { locations?: object[] }[];
  t.like(problem, {
    ruleId: 'size.min_gt_max',
    level: 'error',
    message: { text: 'UserVolumeConfig/data provisioning.minSize: minSize is larger than maxSize' },
  });
  t.like(problem?.locations?.[0], {
    physicalLocation: { region: { startLine: 4, startColumn: 63 } },
  });
  t.like(warning, { ruleId: 'machine.missing', level: 'warning' });
  const good = await osctl(['validate', '-m', 'metal', '-o', 'sarif', '-c', '-'], {
    input: 'apiVersion: v1alpha1\nkind: ZswapConfig\nmaxPoolPercent: 1\n',
  });
  t.is(good.code, 0);
  t.deepEqual(sarifProblems(JSON.parse(good.out)), []);
});

test('the shape of SARIF is told from what is none', (t) => {
  const driver = { name: 'a', rules: [{ id: 'r' }] };
  const result = { ruleId: 'r', ruleIndex: 0, level: 'error', message: { text: 'x' } };
  const log = (run: object): object => ({
    version: '2.1.0',
    runs: [{ tool: { driver }, results: [result], ...run }],
  });
  t.deepEqual(sarifProblems(log({})), []);
  for (const bad of [
    { version: '2.0.0', runs: [] },
    log({ tool: {} }),
    log({ columnKind: 'bytes' }),
    log({ results: [{ ...result, level: 'fatal' }] }),
    log({ results: [{ ...result, ruleIndex: 1 }] }),
    log({ results: [{ ruleId: 'r' }] }),
    log({
      results: [
        {
          ...result,
          locations: [{ physicalLocation: { artifactLocation: { uri: 'a b' }, region: { startLine: 1 } } }],
        },
      ],
    }),
    log({ results: [{ ...result, locations: [{ physicalLocation: { region: { startLine: 0 } } }] }] }),
    log({ extra: 1 }),
  ])
    t.not(sarifProblems(bad).length, 0, JSON.stringify(bad));
});

test('a node is asked what it says of a valid configuration, and nothing is applied', async (t) => {
  const node = await startFakeNode(t, {
    refuse: (text) =>
      text.includes('refused')
        ? {
            code: 'volume.type_changed',
            message: "is a disk, and can't become a partition",
            path: 'volumeType',
            document: 'UserVolumeConfig/refused',
          }
        : undefined,
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const input = `# mine\n${volume}`;
  const good = await osctl(['validate', '-c', '-', '--node', node.endpoint], { input, env });
  t.is(good.code, 0, good.error);
  t.is(good.out, `<stdin> is valid for node ${node.endpoint}\n`);
  t.is(good.error, 'warning: <stdin>:2:1: a warning (node.warning)\n');
  t.deepEqual(
    node.applied.map(({ dryRun }) => dryRun),
    [true],
  );
  const bad = await osctl(['validate', '-c', '-', '--node', node.endpoint, '-m', 'metal', '-o', 'json'], {
    input: input.replace('name: data', 'name: refused'),
    env,
  });
  t.is(bad.code, 1);
  t.like((JSON.parse(bad.out) as { problems: object[] }).problems[0], {
    line: 2,
    column: 1,
    code: 'volume.type_changed',
    file: '<stdin>',
  });
  const strict = await osctl(['validate', '-c', '-', '--node', node.endpoint, '--strict'], { input, env });
  t.is(strict.code, 1);
  const local = await osctl(['validate', '-c', '-', '--node', node.endpoint], { input: wrong, env });
  t.is(local.code, 1);
  t.is(node.applied.length, 2, 'what is wrong here is not sent');
});

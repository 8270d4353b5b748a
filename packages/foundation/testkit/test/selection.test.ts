import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { exceptions, overBudget, slowest } from '../src/budgets.ts';
import { select } from '../src/selection.ts';
import { filesOfShard, longestFirst, readShard } from '../src/shards.ts';
import { touchedBy, type WorkspacePackage, workspacePackages } from '../src/since.ts';
import { TestTimes } from '../src/test-times.ts';

const files = ['a.test.ts', 'b.test.ts', 'c.test.ts', 'd.test.ts', 'e.test.ts'];
const seconds: Readonly<Record<string, number>> = {
  'a.test.ts': 1,
  'c.test.ts': 8,
  'd.test.ts': 4,
  'e.test.ts': 4,
};
const secondsOf = (file: string): number => seconds[file] ?? 2;

test('flags stand beside rungs and words; one that does not exist is refused', (t) => {
  t.deepEqual(select(['unit', 'luks', '--shard', '2/3', '--strict-budget']), {
    rungs: ['unit'],
    words: ['luks'],
    shard: { index: 2, count: 3 },
    isBudgetStrict: true,
  });
  t.is(select(['--since', 'main']).since, 'main');
  t.throws(() => select(['--shards', '1/2']), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' });
});

test('a shard that can not be is refused', (t) => {
  for (const text of ['0/2', '3/2', '1', '1/0', 'a/b'])
    t.throws(() => readShard(text), { instanceOf: RangeError }, text);
});

test('shards have every file once and about the same to do', (t) => {
  const shards = [1, 2].map((index) => filesOfShard(files, secondsOf, { index, count: 2 }));
  t.deepEqual(shards.flat().toSorted(), files);
  const sums = shards.map((shard) => shard.reduce((sum, file) => sum + secondsOf(file), 0));
  t.deepEqual(sums, [10, 9]);
});

test('what takes longest is first, whatever order it came in', (t) => {
  const order = ['c.test.ts', 'd.test.ts', 'e.test.ts', 'b.test.ts', 'a.test.ts'];
  t.deepEqual(longestFirst(files, secondsOf), order);
  t.deepEqual(longestFirst(files.toReversed(), secondsOf), order);
});

const packages: readonly WorkspacePackage[] = [
  { name: '@nodecore/sys', directory: 'packages/foundation/sys', dependencies: [] },
  { name: '@nodecore/luks', directory: 'packages/storage/luks', dependencies: ['@nodecore/sys'] },
  { name: '@nodecore/volumes', directory: 'packages/storage/volumes', dependencies: ['@nodecore/luks'] },
  { name: '@nodecore/bpf', directory: 'packages/network/bpf', dependencies: ['@nodecore/sys'] },
];
const tests = packages.map(({ directory }) => `${directory}/test/x.test.ts`);
const [, ofLuks = '', ofVolumes = '', ofBpf = ''] = tests;
const touched = (...changed: string[]): readonly string[] =>
  touchedBy(changed, tests, packages, (file) => (file === ofBpf ? "read('docs/bpf.md')" : '')).files;

test('a change runs the tests of its package and of all above it', (t) => {
  t.deepEqual(touched('packages/storage/luks/src/open.ts'), [ofLuks, ofVolumes]);
  t.deepEqual(touched('packages/foundation/sys/src/ffi.ts'), tests);
});

test('a changed test runs alone, a changed helper the tests of its package', (t) => {
  t.deepEqual(touched(ofLuks), [ofLuks]);
  t.deepEqual(touched('packages/storage/luks/test/by-hand.ts'), [ofLuks]);
});

test('a changed document runs the tests that name it', (t) => {
  t.deepEqual(touched('docs/bpf.md'), [ofBpf]);
  t.deepEqual(touched('docs/luks.md', 'packages/storage/luks/README.md', '.github/workflows/ci.yml'), []);
});

test('everything rests on the configuration, the addon and the test command', (t) => {
  for (const path of [
    'pnpm-lock.yaml',
    'tsconfig.base.json',
    'ava.config.js',
    'native/src/addon.ts',
    'scripts/setup',
  ]) {
    t.deepEqual(touched(path), tests, path);
  }
  t.deepEqual(touched('packages/foundation/testkit/src/run.ts'), tests);
});

test('each change says what runs because of it', (t) => {
  const { reasons } = touchedBy(['packages/storage/luks/src/open.ts', 'LICENSE'], tests, packages, () => '');
  t.deepEqual(reasons, ['packages/storage/luks/src/open.ts: 2 files, of luks, volumes', 'LICENSE: no test']);
});

test('the packages of this checkout and what they import are found', (t) => {
  const found = workspacePackages(new URL('../../../..', import.meta.url).pathname);
  const agent = found.find(({ name }) => name === '@nodecore/agent');
  t.is(agent?.directory, 'packages/apps/agent');
  t.true(agent?.dependencies.includes('@nodecore/volumes'));
});

test('the slowest files are a table, and those over their budget are named', (t) => {
  const notes = [
    { file: 'packages/storage/luks/test/open.test.ts', seconds: 3 },
    { file: 'packages/storage/luks/test/x.root.test.ts', seconds: 31.04 },
  ];
  t.deepEqual(slowest(notes, 5), [
    '  slowest files                             seconds  budget',
    '  packages/storage/luks/test/x.root.test.ts    31.0      25',
    '  packages/storage/luks/test/open.test.ts       3.0      10',
  ]);
  t.deepEqual(slowest(notes, 1).length, 2);
  t.deepEqual(overBudget(notes), [
    'over budget: packages/storage/luks/test/x.root.test.ts took 31.0 s of 25 s',
  ]);
});

test('an exception from the budget is of a file that is there', (t) => {
  for (const file of Object.keys(exceptions))
    t.true(existsSync(new URL(`../../../../${file}`, import.meta.url)), file);
});

test('seconds are kept between runs, go with a package to another area, and are forgotten with their file', async (t) => {
  const checkout = await temporaryDirectory(t);
  const seed = join(checkout, 'packages/foundation/testkit/test-times.json');
  await mkdir(join(seed, '..'), { recursive: true });
  await writeFile(seed, '{ "luks/open.test.ts": { "seconds": 9 }, "luks/gone.test.ts": { "seconds": 1 } }');
  const times = TestTimes.read(checkout);
  times.add({ file: 'packages/storage/trim/test/trim.test.ts', seconds: 1.234, needs: 'starts a process' });
  times.add({ file: 'packages/storage/trim/test/trim.test.ts', seconds: 1.234 }); // alone it shows nothing
  times.save('local', [
    ofLuks,
    'packages/storage/trim/test/trim.test.ts',
    'packages/storage/luks/test/open.test.ts',
  ]);
  const again = TestTimes.read(checkout);
  t.deepEqual(again.of('packages/elsewhere/trim/test/trim.test.ts'), {
    seconds: 1.2,
    needs: 'starts a process',
  });
  t.is(again.seconds('packages/storage/luks/test/open.test.ts', 1), 9);
  t.is(again.seconds('packages/storage/luks/test/new.test.ts', 7), 7);
});

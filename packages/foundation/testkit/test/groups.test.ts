import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { declaration } from '../src/groups/declarations.ts';
import { needsOwnProcess } from '../src/groups/needs-own-process.ts';
import { prefixOf } from '../src/groups/prefix.ts';
import { outcomeOf, runShared } from '../src/groups/run-shared.ts';
import type { TapResult } from '../src/tap.ts';

const onResult = (): void => {};
const checkout = fileURLToPath(new URL('../../../..', import.meta.url));

/** Files of tests below the checkout, where they find ava. */
async function testFiles(t: ExecutionContext, texts: Readonly<Record<string, string>>): Promise<string[]> {
  const directory = join('.cache', 'test-groups', `${process.pid}-${t.title.length}`);
  t.teardown(() => rm(join(checkout, directory), { recursive: true, force: true }));
  await mkdir(join(checkout, directory, 'test'), { recursive: true });
  const files = Object.entries(texts).map(
    ([name, text]) => [join(directory, 'test', `${name}.test.ts`), text] as const,
  );
  for (const [file, text] of files) await writeFile(join(checkout, file), `import test from 'ava';\n${text}`);
  return files.map(([file]) => file);
}

test('files that share a process count as they would alone; what others could have felt makes a file leave', async (t) => {
  const files = await testFiles(t, {
    one: `test('passes', (t) => t.pass()); test.skip('is skipped', (t) => t.pass());
      test('same title', async (t) => { await null; t.is(1, 1); });`,
    two: `test.serial('same title', (t) => t.is(1, 2)); test('later', (t) => t.pass());`,
    macro: `const sum = test.macro({ title: (title, a, b) => \`\${title}: \${a} + \${b}\`, exec: (t, a, b) => t.is(a + b, 3) });
      test('sum', sum, 1, 2);`,
    library: `import { interfaces } from '../../../../native/src/index.ts';
      test('asks the addon', (t) => t.true(interfaces().length > 0));`,
    again: `import { interfaces } from '../../../../native/src/index.ts';
      test('asks it, too', (t) => t.true(interfaces().length > 0));`,
    environment: `test('leaves a variable', (t) => { Object.assign(process.env, { NODECORE_LEFT: '1' }); t.pass(); });`,
    timer: `test('leaves a timer', (t) => { setTimeout(() => {}, 600_000); t.pass(); });`,
    broken: `import './nowhere.ts'; test('never', (t) => t.pass());`,
    last: `test('passes', (t) => t.pass());`,
  });
  const directory = await temporaryDirectory(t);
  const { totals, left, notes } = await runShared(files, directory, {
    cwd: checkout,
    env: process.env,
    onResult,
  });
  t.deepEqual(totals, { passed: 5, failed: 1, skipped: 1 });
  t.deepEqual(
    left.map(({ file, reason }) => `${file.split('/').at(-1)}: ${reason}`),
    [
      'library.test.ts: uses a native library',
      'again.test.ts: uses a native library',
      'environment.test.ts: changes the process',
      'timer.test.ts: leaves something open (Timeout)',
      "broken.test.ts: can't be imported",
    ],
  );
  t.is(notes.length, 4);
});

test('a process that ends early hides no file: those that had not ended are left', async (t) => {
  const files = await testFiles(t, {
    before: `test('passes', (t) => t.pass());`,
    crash: `test('ends the process', async (t) => { setImmediate(() => { throw new Error('nobody catches'); }); await new Promise(() => {}); });`,
    after: `test('passes', (t) => t.pass());`,
  });
  const directory = await temporaryDirectory(t);
  const { totals, left } = await runShared(files, directory, { cwd: checkout, env: process.env, onResult });
  t.deepEqual(totals, { passed: 1, failed: 0, skipped: 0 });
  t.deepEqual(
    left.map(({ file }) => file),
    files.slice(1),
  );
});

test('a failure that belongs to no file counts when every file ended', (t) => {
  const results: TapResult[] = [
    { outcome: 'passed', title: `${prefixOf('a/test/x.test.ts')}works`, detail: [] },
    { outcome: 'failed', title: 'Error: rejected later', detail: [] },
  ];
  const note = { file: 'a/test/x.test.ts', seconds: 1 };
  t.deepEqual(outcomeOf([note.file], [note], results, onResult).totals, { passed: 1, failed: 1, skipped: 0 });
});

test('the own code of a test and of its helpers says that it needs a process', async (t) => {
  const files = await testFiles(t, {
    pure: `import { join } from 'node:path'; process.env['HOME'] === join('/', 'root');`,
    child: `import { spawn } from 'node:child_process';`,
    variable: `process.env['TZ'] = 'UTC';`,
    hooks: `test.before(() => {});`,
    helped: `import './helper.ts';`,
  });
  await writeFile(
    join(checkout, files[0] ?? '', '../helper.ts'),
    'export const end = () => process.exit(1);',
  );
  t.deepEqual(
    files.map((file) => needsOwnProcess(checkout, file)),
    [undefined, 'starts processes or threads', 'changes the environment', 'has hooks', 'changes the process'],
  );
});

const exec = (): void => {};

test('tests are declared with a title, a macro, or both', (t) => {
  t.is(declaration([], ['title', exec]).title, 'title');
  t.is(declaration([], [{ exec, title: (title = 'none', n: number) => `${title} ${n}` }, 3]).title, 'none 3');
  t.deepEqual(declaration(['todo'], ['to be written']), { title: 'to be written', modifiers: ['todo'] });
});

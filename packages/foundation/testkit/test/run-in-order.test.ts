import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

import { identityOf } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { beginLine, fileOfBegin, notesOf } from '../src/notes.ts';
import type { Totals } from '../src/run-files.ts';
import { runInOrder } from '../src/run-in-order.ts';
import { avaProgram } from '../src/tap.ts';

const checkout = fileURLToPath(new URL('../../../..', import.meta.url));
const ava = join(checkout, avaProgram);
const noteProcess = join(checkout, 'packages/foundation/testkit/src/groups/note-process.ts');

type Outcome = {
  readonly totals: Totals;
  readonly results: readonly string[];
  /** Of those that failed. */
  readonly details: readonly string[];
  readonly ended: readonly string[];
};

/** Runs test files with ava in a project of their own below the checkout, where they find ava. */
async function run(t: ExecutionContext, texts: Readonly<Record<string, string>>): Promise<Outcome> {
  const cwd = join(checkout, '.cache', 'test-order', `${process.pid}-${t.title.length}`);
  t.teardown(() => rm(cwd, { recursive: true, force: true }));
  await mkdir(cwd, { recursive: true });
  const config = {
    files: ['*.test.ts'],
    extensions: ['ts'],
    workerThreads: false,
    nodeArguments: ['--conditions=source'],
    require: [noteProcess],
    timeout: '24h',
    cache: false,
  };
  await writeFile(join(cwd, 'package.json'), '{ "type": "module" }');
  await writeFile(join(cwd, 'ava.config.js'), `export default ${JSON.stringify(config)};`);
  for (const [name, text] of Object.entries(texts))
    await writeFile(join(cwd, `${name}.test.ts`), `import test from 'ava';\n${text}`);
  const notesPath = join(await temporaryDirectory(t), 'notes');
  const files = Object.keys(texts).map((name) => `${name}.test.ts`);
  const results: string[] = [];
  const details: string[] = [];
  const totals = await runInOrder(
    files,
    (left) => [execPath, ava, '--tap', '--concurrency', '1', ...left],
    notesPath,
    {
      cwd,
      env: { ...process.env, NODECORE_TEST_NOTES: notesPath },
      maxSilenceMs: 5_000, // a start of ava under load
      onResult: ({ outcome, title, detail }) => {
        results.push(`${outcome} ${title}`);
        details.push(...detail);
      },
    },
  );
  return { totals, results, details, ended: notesOf(notesPath).map(({ file }) => file) };
}

test('behind a file that hangs, and behind one that ends ava, the others run; each is named and counts once', async (t) => {
  t.timeout(120_000);
  const pids = join(await temporaryDirectory(t), 'pids');
  const { totals, results, ended } = await run(t, {
    a: `test('passes', (t) => t.pass());`,
    b: `import { spawn } from 'node:child_process';
      import { appendFileSync } from 'node:fs';
      test('passes before', (t) => t.pass());
      test('hangs', () => {
        const { pid } = spawn('sleep', ['1000'], { detached: true });
        process.on('SIGTERM', () => {});
        appendFileSync(${JSON.stringify(pids)}, \`\${process.pid} \${pid}\`);
        return new Promise((resolve) => setTimeout(resolve, 1_000_000));
      });`,
    c: `test('kills ava', () => { process.kill(process.ppid, 'SIGKILL'); return new Promise(() => {}); });`,
    d: `test('fails', (t) => t.fail());`,
    e: `test('passes last', (t) => t.pass());`,
  });
  t.deepEqual(totals, { passed: 3, failed: 3, skipped: 0 });
  t.is(
    results.filter((line) => /^failed b\.test\.ts: nothing for 5 s after .*passes before$/.test(line)).length,
    1,
  );
  t.true(results.includes('failed c.test.ts: ended with a signal after 0 tests'));
  t.deepEqual(
    ended.filter((file) => /^[ade]/.test(file)),
    ['a.test.ts', 'd.test.ts', 'e.test.ts'],
  );
  const [hung = '', child = ''] = (await readFile(pids, 'utf8')).split(' ');
  // Where nobody waits for orphans at once, one that has ended is still to be seen.
  for (const pid of [hung, child]) t.is(identityOf(Number(pid)), undefined, pid);
});

test('a failure whose error has no frames is told, and those behind it', async (t) => {
  t.timeout(120_000);
  const { totals, results } = await run(t, {
    a: `test.serial('fails bare', () => { throw Object.assign(new Error('ENOTEMPTY'), { stack: 'Error: ENOTEMPTY' }); });
      for (const stack of [undefined, 5])
        test.serial(\`fails with \${stack}\`, () => { throw Object.assign(new Error('odd'), { stack }); });
      test.serial('passes', (t) => t.pass());`,
  });
  t.deepEqual(totals, { passed: 1, failed: 3, skipped: 0 });
  t.deepEqual(results, [
    'failed fails bare',
    'failed fails with undefined',
    'failed fails with 5',
    'passed passes',
  ]);
});

test('a failed assertion is told with its line of the test, and with those that led to it', async (t) => {
  t.timeout(120_000);
  const { details } = await run(t, {
    a: `function helper(t) { t.true(false); }
      test('fails', (t) => helper(t));`,
  });
  const text = details.map((line) => line.trim()).join(' ');
  t.regex(text, / at: 'helper \(a\.test\.ts:2:28\), from a\.test\.ts:3:28' /);
});

test('files of which none begins are named, and count', async (t) => {
  const results: string[] = [];
  const totals = await runInOrder(
    ['one.test.ts', 'other.test.ts'],
    (left) => ['sh', '-c', 'exit 3', ...left],
    join(await temporaryDirectory(t), 'notes'),
    { cwd: checkout, env: process.env, onResult: ({ title }) => results.push(title) },
  );
  t.deepEqual(totals, { passed: 0, failed: 2, skipped: 0 });
  t.deepEqual(
    results,
    ['one', 'other'].map((name) => `${name}.test.ts: did not run; sh -c exit 3: ended with 3 after 0 tests`),
  );
});

test('the line by which a machine says that a file begins is found behind half a line', (t) => {
  t.is(fileOfBegin(beginLine('a/b.test.ts').trimEnd()), 'a/b.test.ts');
  t.is(fileOfBegin(`half a line${beginLine('a/b.test.ts').trimEnd()}`), 'a/b.test.ts');
  t.is(fileOfBegin('anything else'), undefined);
});

import { spawnSync } from 'node:child_process';

import test from 'ava';

import { firstProgram } from '../src/first-program.ts';

test('the pieces of PID 1 do what they promise', async (t) => {
  const { stdout, status } = spawnSync(await firstProgram('test'), { encoding: 'utf8' });
  const results = stdout.trimEnd().split('\n');
  t.deepEqual(
    results.filter((line) => !line.startsWith('ok - ')),
    [],
  );
  t.is(status, 0);
  t.true(results.length > 20);
});

test('a tether runs a program for its own parent alone, and says when there is none', async (t) => {
  const tether = await firstProgram('tether');
  const run = (...words: string[]) => spawnSync(tether, words, { encoding: 'utf8' });
  t.is(run(String(process.pid), 'echo', 'started').stdout, 'started\n');
  const orphan = run('1', 'echo', 'started');
  t.deepEqual([orphan.stdout, orphan.status], ['', 1]);
  t.is(run(String(process.pid), 'no-such-program').status, 127);
  t.is(run(String(process.pid)).status, 1);
});

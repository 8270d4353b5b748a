import test from 'ava';

import { runTap } from '../src/run-files.ts';
import type { TapResult } from '../src/tap.ts';

test('a program that says nothing for too long is ended, also one that does not listen, and counts as a failure', async (t) => {
  for (const deaf of ['', 'trap "" TERM; ']) {
    const results: TapResult[] = [];
    const script = `${deaf}echo "TAP version 13"; echo "ok 1 - the first"; exec sleep 1000`;
    const totals = await runTap(['sh', '-c', script], {
      cwd: import.meta.dirname,
      env: process.env,
      onResult: (result) => results.push(result),
      maxSilenceMs: 200,
    });
    t.deepEqual(totals, { passed: 1, failed: 1, skipped: 0 });
    t.regex(results.at(-1)?.title ?? '', /: nothing for 0\.2 s after the first$/u);
  }
});

test('a command that ends badly, or runs nothing, is a failure with a title', async (t) => {
  for (const [script, ending] of [
    ['echo "ok 1 - the first"; exit 3', 'ended with 3 after 1 tests'],
    ['true', 'ended with 0 after 0 tests'],
  ] as const) {
    const titles: string[] = [];
    const totals = await runTap(['sh', '-c', script], {
      cwd: import.meta.dirname,
      env: process.env,
      onResult: ({ outcome, title }) => outcome === 'failed' && titles.push(title),
    });
    t.is(totals.failed, 1);
    t.is(titles.length, 1);
    t.true(titles[0]?.endsWith(ending), titles[0]);
  }
});

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

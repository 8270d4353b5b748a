import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import test from 'ava';

const script = fileURLToPath(new URL('secret-memory.ts', import.meta.url));

/** How many copies of a secret a process of its own finds in its memory. */
async function copiesLeft(what: 'kept' | 'wiped', sizeBytes: number): Promise<number> {
  const argv = ['--expose-gc', '--conditions=source', script, what, `${sizeBytes}`];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  return Number(stdout);
}

for (const sizeBytes of [16, 32, 64, 200]) {
  test(`no copy of ${sizeBytes} wiped bytes is left in memory`, async (t) => {
    t.is(await copiesLeft('wiped', sizeBytes), 0);
  });
}

test('a secret that is kept is found, so the search works', async (t) => {
  t.true((await copiesLeft('kept', 32)) >= 1);
});

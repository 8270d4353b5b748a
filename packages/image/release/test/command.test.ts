import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));

test('what keeps a release from being built is said in a line, and not where in the program that was', async (t) => {
  const directory = await temporaryDirectory(t);
  const missing = join(directory, 'missing');
  const words = ['--output', join(directory, 'release'), '--extensions', missing];
  const { status, stderr } = spawnSync(process.execPath, ['--conditions=source', program, ...words], {
    encoding: 'utf8',
  });
  t.is(status, 1);
  t.regex(stderr, /^ENOENT: [^\n]*\n$/);
  t.true(stderr.includes(missing));
});

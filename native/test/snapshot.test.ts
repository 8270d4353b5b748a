import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import test from 'ava';

const addon =
  process.env['NODECORE_NATIVE'] ?? fileURLToPath(new URL('../build/Release/nodecore.node', import.meta.url));
const program = join(dirname(dirname(addon)), 'snapshot_test');

test('the check of snapshots works without JavaScript', async (t) => {
  const output = await new Promise<string>((resolve, reject) => {
    // The runtime that the sanitized addon needs in Node is linked into the program.
    const env = { ...process.env, LD_PRELOAD: '' };
    execFile(program, { env }, (error, stdout, stderr) => {
      if (error === null || typeof error.code === 'number') resolve(stdout + stderr);
      else reject(error);
    });
  });
  const results = output.trimEnd().split('\n');
  t.deepEqual(
    results.filter((line) => !line.startsWith('ok - ')),
    [],
  );
  t.true(results.length > 8);
});

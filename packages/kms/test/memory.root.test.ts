import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { memoryFlags, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

const bin = fileURLToPath(new URL('../bin/nodecore-kms.js', import.meta.url));
const test = testWith(root, program('prlimit'));

test('however it is started, the server has no core dumps, and its ring is in locked memory', async (t) => {
  const ring = join(await temporaryDirectory(t), 'ring');
  await output([process.execPath, bin, 'ring', 'init', '--ring', ring]);
  const argv = ['serve', '--plaintext', '--listen', '127.0.0.1:0', '--no-metrics', '--ring', ring];
  const child = spawn('prlimit', ['--core=unlimited:unlimited', '--', process.execPath, bin, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"listening"')) break;
  t.regex(await readFile(`/proc/${child.pid}/limits`, 'utf8'), /^Max core file size +0 +0 /m);
  const arena = memoryFlags(child.pid ?? 0).filter((flags) => flags.includes('wf'));
  t.true(arena.length > 0);
  for (const flags of arena) for (const flag of ['lo', 'dd']) t.true(flags.includes(flag), flags.join(' '));
});

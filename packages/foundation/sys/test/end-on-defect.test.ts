import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import test from 'ava';

const program = fileURLToPath(new URL('end-on-defect-program.ts', import.meta.url));

for (const kind of ['exception', 'rejection', 'telling'])
  test(`a process with a defect tells it and ends with 70: ${kind}`, async (t) => {
    const child = spawn(process.execPath, ['--conditions=source', program, kind], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    const [told, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    t.is(told, 'defect\n');
    t.is(code, 70);
  });

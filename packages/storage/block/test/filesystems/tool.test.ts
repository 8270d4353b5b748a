import test from 'ava';

import { runTool } from '../../src/filesystems/tool.ts';

const sh = { name: 'sh', debian: 'dash' };

test('what a program prints is returned', async (t) => {
  t.is(await runTool(sh, ['-c', 'echo $LC_ALL'], '/dev/x'), 'C\n');
});

test('a program that fails is an error with what it said first, after its name and version', async (t) => {
  await t.throwsAsync(
    runTool(
      sh,
      ['-c', 'echo "mke2fs 1.47.0 (5-Feb-2023)" >&2; echo one >&2; echo usage >&2; exit 3'],
      '/dev/x',
    ),
    {
      code: 'ERR_BLOCK_FAILED',
      message: 'sh on /dev/x: exit 3: one',
    },
  );
});

test('a program that is missing is named with its package', async (t) => {
  await t.throwsAsync(runTool({ name: 'mkfs.nodecore-missing', debian: 'nothing' }, [], '/dev/x'), {
    message: 'mkfs.nodecore-missing: the program is missing; install nothing',
  });
});

test('an abort ends the program', async (t) => {
  const controller = new AbortController();
  const running = runTool(sh, ['-c', 'exec sleep 60'], '/dev/x', controller.signal);
  controller.abort(new Error('shutting down'));
  await t.throwsAsync(running, { message: 'shutting down' });
});

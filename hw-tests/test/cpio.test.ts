import { spawnSync } from 'node:child_process';

import { program, testWith } from '@nodecore/testkit';

import { cpio } from '../src/cpio.ts';

testWith(program('busybox'))('another program reads the archive, with parents made once', (t) => {
  const archive = cpio([
    { path: 'init', mode: 0o755, content: Buffer.from('x') },
    { path: 'rig/modules/a.ko', mode: 0o644, content: Buffer.from('abcde') },
    { path: 'rig/machine', mode: 0o644, content: Buffer.alloc(0) },
  ]);
  const listed = spawnSync('busybox', ['cpio', '-t'], { input: archive, encoding: 'utf8' });
  t.is(listed.status, 0, listed.stderr);
  t.deepEqual(listed.stdout.trim().split('\n'), [
    'init',
    'rig',
    'rig/modules',
    'rig/modules/a.ko',
    'rig/machine',
  ]);
});

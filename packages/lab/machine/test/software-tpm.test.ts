import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test from 'ava';

import { tetheredStarter } from '../src/lifetime.ts';
import { startTpm } from '../src/software-tpm.ts';

test.serial('a machine without swtpm says what to run', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true }));
  for (const name of ['setpriv', 'sh']) await symlink(join('/usr/bin', name), join(directory, name));
  const { PATH } = process.env;
  t.teardown(() => (process.env['PATH'] = PATH));
  process.env['PATH'] = directory;
  await t.throwsAsync(startTpm('node', directory, tetheredStarter(directory)), {
    code: 'ERR_MACHINE_START',
    message: /swtpm is not installed: run scripts\/setup/,
  });
});

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ended } from '@nodecore/sys';
import { program, softwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';
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
  await t.throwsAsync(startTpm({ name: 'node' }, directory, tetheredStarter(directory)), {
    code: 'ERR_MACHINE_START',
    message: /swtpm is not installed: run scripts\/setup/,
  });
});

testWith(program('swtpm'), program('tpm2_getcap'))(
  'a TPM is made with the banks that are asked for, once, and anew after it was begun and not completed',
  async (t) => {
    const directory = await temporaryDirectory(t);
    await mkdir(join(directory, 'tpm.new'));
    await writeFile(join(directory, 'tpm.new', 'tpm2-00.permall'), 'half of it');
    const banks = async (...asked: ('sha1' | 'sha256')[]): Promise<string> => {
      const child = await startTpm({ name: 'node', pcrBanks: asked }, directory, tetheredStarter(directory));
      child.kill('SIGKILL');
      await ended(child);
      const tpm = await softwareTpm(t, { stateDirectory: join(directory, 'tpm') });
      const { stdout } = await promisify(execFile)('tpm2_getcap', ['pcrs', '-T', tpm.tcti]);
      await tpm.stop();
      return [...stdout.matchAll(/(sha\d+): \[ 0,/g)].map(([, name]) => name).join();
    };
    t.is(await banks('sha256'), 'sha256');
    t.is(await banks('sha1', 'sha256'), 'sha256');
  },
);

testWith(program('swtpm'))('a TPM 1.2 is one, and no TPM 2.0', async (t) => {
  const version = async (tpmVersion: '1.2' | '2.0'): Promise<readonly string[]> => {
    const directory = await temporaryDirectory(t);
    const child = await startTpm({ name: 'node', tpmVersion }, directory, tetheredStarter(directory));
    // Its state is made when it is switched on, under the name of what it is.
    await promisify(execFile)('swtpm_ioctl', ['--unix', join(directory, 'tpm.sock'), '-i']);
    child.kill('SIGKILL');
    await ended(child);
    return await readdir(join(directory, 'tpm'));
  };
  t.true((await version('2.0')).includes('tpm2-00.permall'));
  t.true((await version('1.2')).includes('tpm-00.permall'));
});

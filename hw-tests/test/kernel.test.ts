import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { type Kernel, moduleFiles } from '../src/kernel.ts';

const dependencies = `kernel/fs/9p/9p.ko.xz: kernel/net/9p/9pnet.ko.xz kernel/fs/netfs/netfs.ko.xz
kernel/net/9p/9pnet.ko.xz:
kernel/fs/netfs/netfs.ko.xz:
kernel/drivers/md/dm-mod.ko.xz:
kernel/drivers/md/dm-crypt.ko.xz: kernel/drivers/md/dm-mod.ko.xz
`;

test('modules come after what they need, each once, in either spelling', async (t) => {
  const modulesDirectory = await temporaryDirectory(t);
  mkdirSync(modulesDirectory, { recursive: true });
  writeFileSync(join(modulesDirectory, 'modules.dep'), dependencies);
  writeFileSync(join(modulesDirectory, 'modules.builtin'), 'kernel/drivers/char/tpm/tpm-tis.ko\n');
  const kernel: Kernel = { version: '6.12.1', image: '', modulesDirectory };
  const names = (...wanted: readonly string[]): string[] =>
    moduleFiles('m', kernel, wanted).map((file) => basename(file, '.ko.xz'));
  t.deepEqual(names('9p', 'dm_crypt', 'dm-mod'), ['netfs', '9pnet', '9p', 'dm-mod', 'dm-crypt']);
  t.deepEqual(names('tpm_tis'), []);
  t.throws(() => names('nvmee'), { code: 'ERR_RIG_SPEC' });
});

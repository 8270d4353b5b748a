import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { missingForFilesystem } from '../../src/machine/missing-filesystem.ts';

const kernel = '6.1.0';
const program = { 'usr/sbin/mkfs.btrfs': '' };
const both = 'its driver in the kernel and the program mkfs.btrfs';

for (const [what, files, expected] of [
  ['nothing of it', {}, both],
  ['a filesystem of a name that is alike', { 'proc/filesystems': 'nodev\tbtrfs2\n\txbtrfs\n' }, both],
  ['the program alone', program, 'its driver in the kernel'],
  ['the driver alone', { 'proc/filesystems': 'nodev\tproc\n\tbtrfs\n' }, 'the program mkfs.btrfs'],
  ['both, loaded', { ...program, 'proc/filesystems': '\text4\n\tbtrfs\n' }, undefined],
  [
    'both, with a module that is loaded when it is asked for',
    { 'usr/local/sbin/mkfs.btrfs': '', 'lib/modules/6.1.0/modules.dep': 'kernel/fs/btrfs/btrfs.ko: a.ko\n' },
    undefined,
  ],
  [
    'both, built in',
    { ...program, 'usr/lib/modules/6.1.0/modules.builtin': 'kernel/fs/btrfs/btrfs.ko\n' },
    undefined,
  ],
  [
    'a module of another kernel',
    { ...program, 'lib/modules/6.2.0/modules.dep': 'kernel/fs/btrfs/btrfs.ko:\n' },
    'its driver in the kernel',
  ],
] as const)
  test(`a system with ${what} lacks ${expected ?? 'nothing'} for btrfs`, async (t) => {
    const root = await temporaryDirectory(t);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    t.is(await missingForFilesystem('btrfs', { root, kernel }), expected);
    t.is(
      await missingForFilesystem('xfs', { root, kernel }),
      undefined,
      'what every image has is not looked for',
    );
  });

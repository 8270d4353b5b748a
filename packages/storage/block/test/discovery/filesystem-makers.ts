import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { output } from '@nodecore/testkit';

import type { Maker } from '../contents.ts';

/** The filesystems of other houses: what Debian has a program for, beside those that volumes are made with. */
export const otherFilesystems: readonly (Maker & { readonly program: string })[] = [
  made('btrfs', 'mkfs.btrfs', '--quiet', '--force', '--label', 'lbl'),
  made('f2fs', 'mkfs.f2fs', '-q', '-f', '-l', 'lbl'),
  made('nilfs2', 'mkfs.nilfs2', '-q', '-f', '-L', 'lbl'),
  made('jfs', 'mkfs.jfs', '-q', '-L', 'lbl'),
  made('reiserfs', 'mkfs.reiserfs', '-q', '-f', '-l', 'lbl'),
  made('ntfs', 'mkfs.ntfs', '--quiet', '--fast', '--force', '--label', 'lbl'),
  made('exfat', 'mkfs.exfat', '--volume-label=lbl'),
  made('udf', 'mkfs.udf', '--label=lbl'),
  made('minix', 'mkfs.minix', '-3'),
  made('bfs', 'mkfs.bfs', '--vname=lbl'),
  made('bcache', 'make-bcache', '--bdev', '--force'),
  { name: 'erofs', program: 'mkfs.erofs', make: (path) => image('mkfs.erofs', path) },
  {
    name: 'cramfs',
    program: 'mkfs.cramfs',
    make: (path) => fromDirectory((from) => ['mkfs.cramfs', from, path]),
  },
];

function made(
  name: string,
  program: string,
  ...words: readonly string[]
): Maker & { readonly program: string } {
  return { name, program, make: (path) => output([program, ...words, path]) };
}

/** Filesystems that are only read are made from a directory. */
async function fromDirectory(argv: (directory: string) => [string, ...string[]]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  try {
    await writeFile(join(directory, 'file'), 'content\n');
    await output(argv(directory));
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** mkfs.erofs shortens what it writes to, which a device can't be. */
async function image(program: string, path: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  try {
    const file = join(directory, 'image');
    await fromDirectory((from) => [program, '--quiet', file, from]);
    await output(['dd', 'status=none', 'conv=notrunc', `if=${file}`, `of=${path}`]);
  } finally {
    await rm(directory, { recursive: true });
  }
}

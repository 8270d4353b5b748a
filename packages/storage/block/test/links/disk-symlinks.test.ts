import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { diskSymlinks } from '../../src/links/disk-symlinks.ts';

test('links are found by the node that they point to, in a directory of its own as well', async (t) => {
  const dev = await temporaryDirectory(t);
  const root = join(dev, 'disk');
  const link = async (path: string, target: string): Promise<void> => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await symlink(target, join(root, path));
  };
  await link('by-id/two', '../../sda1');
  await link('by-id/one', '../../sda1');
  await link('by-path/array', '../../cciss/c0d0');
  await link('by-path/by-path-of-more/deep', '../../../sda');
  await link('by-id/.#one', '../../sdb');
  await link('by-id/elsewhere', '/srv/sda');
  t.deepEqual(Object.fromEntries(await diskSymlinks(root)), {
    sda1: [join(root, 'by-id/one'), join(root, 'by-id/two')],
    'cciss/c0d0': [join(root, 'by-path/array')],
    sda: [join(root, 'by-path/by-path-of-more/deep')],
  });
  t.deepEqual(await diskSymlinks(join(dev, 'none')), new Map());
});

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';
import { output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { ensureBootOption, guids } from '../src/index.ts';

const file = {
  partition: {
    index: 1,
    partitionGuid: '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0',
    startSector: 2048n,
    sectors: 4096n,
  },
  path: '\\EFI\\systemd\\systemd-bootx64.efi',
};
const request = { description: 'nodeos', file, order: 'first', hasPartition: () => false } as const;
const option = (name: string): string => `${name}-${guids.global}`;

/** A file system of its own, which can be full and read-only. */
async function mounted(t: ExecutionContext): Promise<string> {
  const directory = await temporaryDirectory(t);
  await output(['mount', '-t', 'tmpfs', '-o', 'nr_inodes=3', 'tmpfs', directory]);
  t.teardown(() => output(['umount', directory]));
  await writeFile(join(directory, option('BootOrder')), Buffer.from([7, 0, 0, 0]));
  return directory;
}

testWith(root, program('mount'))(
  'a full and a read-only firmware say so, and keep what they had',
  async (t) => {
    const directory = await mounted(t);
    await writeFile(join(directory, 'other'), '');
    const before = await readdir(directory);
    const full = await t.throwsAsync(ensureBootOption({ ...request, root: directory }));
    t.is(codeOf(full), 'ENOSPC');
    t.deepEqual(await readdir(directory), before);
    await output(['mount', '-o', 'remount,ro,nr_inodes=9', directory]);
    const readOnly = await t.throwsAsync(ensureBootOption({ ...request, root: directory }));
    t.is(codeOf(readOnly), 'EROFS');
    t.deepEqual(await readdir(directory), before);
  },
);

testWith(
  root,
  program('chattr'),
  program('lsattr'),
)('the mark that keeps a variable from being changed is there again behind a write', async (t) => {
  const directory = await temporaryDirectory(t);
  const order = join(directory, option('BootOrder'));
  await writeFile(order, Buffer.from([7, 0, 0, 0, 9, 0]));
  await output(['chattr', '+i', order]);
  t.teardown(() => output(['chattr', '-i', order]));
  t.deepEqual(await ensureBootOption({ ...request, root: directory }), { name: 'Boot0000', changed: true });
  t.deepEqual([...(await readFile(order)).subarray(4)], [0, 0, 9, 0]);
  t.regex(await output(['lsattr', order]), /^-+i-/u);
});

import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import type { BlockError } from '../../src/errors.ts';
import { check } from '../../src/filesystems/check.ts';
import * as filesystems from '../../src/filesystems/filesystems.ts';
import { mounts } from '../../src/mounts/mounts.ts';
import '../patient-proofs.ts';

const mib = 1 << 20;
const ext4 = testWith(root, program('mkfs.ext4'), program('debugfs'), program('e2fsck'));
const xfs = testWith(root, program('mkfs.xfs'), program('xfs_db'), program('xfs_repair'));

async function made(t: ExecutionContext, type: 'ext4' | 'xfs'): Promise<string> {
  const { path } = await loopDevice(t, { sizeBytes: (type === 'xfs' ? 80 : 64) * mib });
  await filesystems.format(path, { type });
  return path;
}

/** Mounts it for as long as `use` takes. */
async function used<T>(t: ExecutionContext, path: string, type: string, use: (target: string) => Promise<T>) {
  const target = join(await temporaryDirectory(t), 'target');
  await mounts.mount({ source: path, target, type });
  try {
    return await use(target);
  } finally {
    await mounts.unmount(target);
  }
}

/** What is on the device while it is mounted, as a power cut would leave it. */
async function cut(t: ExecutionContext, path: string, type: 'ext4' | 'xfs'): Promise<string> {
  const bytes = await used(t, path, type, async (target) => {
    await writeFile(join(target, 'file'), 'kept');
    await output(['sync', '--file-system', target]);
    await output(['blockdev', '--flushbufs', path]); // files are not written through the device's cache
    return readFile(path);
  });
  const { path: copy } = await loopDevice(t, { sizeBytes: bytes.length });
  const file = await open(copy, 'r+');
  await file.write(bytes);
  await file.close();
  return copy;
}

const holds = (t: ExecutionContext, path: string, type: string): Promise<string> =>
  used(t, path, type, (target) => readFile(join(target, 'file'), 'utf8'));

const damage = (path: string, ...requests: readonly string[]): Promise<unknown> =>
  requests.reduce<Promise<unknown>>(
    (before, request) => before.then(() => output(['debugfs', '-w', '-R', request, path])),
    Promise.resolve(),
  );

ext4('a clean ext4 is not checked', async (t) => {
  t.is(await check(await made(t, 'ext4'), { type: 'ext4' }), undefined);
});

ext4('an ext4 that was not unmounted has its journal replayed, and is clean then', async (t) => {
  const path = await cut(t, await made(t, 'ext4'), 'ext4');
  t.is((await check(path, { type: 'ext4' }))?.result, 'recovered');
  t.is(await check(path, { type: 'ext4' }), undefined);
  t.is(await holds(t, path, 'ext4'), 'kept');
});

ext4('an ext4 with errors is repaired, and says how far it is', async (t) => {
  const path = await made(t, 'ext4');
  await damage(path, 'ssv free_blocks_count 1', 'ssv state 2');
  const progress: string[] = [];
  const done = await check(path, { type: 'ext4', onProgress: (line) => progress.push(line) });
  t.is(done?.result, 'repaired');
  t.regex(progress.at(-1) ?? '', /^pass 5 of 5, 100 %$/);
  t.is(await check(path, { type: 'ext4' }), undefined);
});

ext4(
  'an ext4 that can not be repaired without a loss is left, with what e2fsck said and what to do',
  async (t) => {
    const path = await made(t, 'ext4');
    await damage(path, 'clri <2>');
    const mount = await t.throwsAsync(
      used(t, path, 'ext4', async () => {}),
      { code: 'ERR_BLOCK_DAMAGED' },
    );
    t.regex(mount?.message ?? '', /EUCLEAN/);
    const error = await t.throwsAsync<BlockError>(check(path, { type: 'ext4', refused: true }), {
      code: 'ERR_BLOCK_DAMAGED',
      message: /e2fsck -n/,
    });
    t.true(error?.reasons.some((line) => line.includes('Root inode is not a directory')));
  },
);

xfs('an xfs that was not unmounted is left to its mount', async (t) => {
  const path = await cut(t, await made(t, 'xfs'), 'xfs');
  t.is(await check(path, { type: 'xfs' }), undefined);
  t.is(await holds(t, path, 'xfs'), 'kept');
});

xfs('an xfs that the kernel refuses is repaired, and mounts again', async (t) => {
  const path = await made(t, 'xfs');
  await used(t, path, 'xfs', (target) => writeFile(join(target, 'file'), 'kept'));
  await output(['xfs_db', '-x', '-c', 'agi 0', '-c', 'write -d magicnum 0', path]);
  await t.throwsAsync(holds(t, path, 'xfs'), { code: 'ERR_BLOCK_DAMAGED' });
  t.is(await check(path, { type: 'xfs' }), undefined); // its superblock knows nothing of it
  const progress: string[] = [];
  const done = await check(path, { type: 'xfs', refused: true, onProgress: (line) => progress.push(line) });
  t.is(done?.result, 'repaired');
  t.is(progress.at(-1), 'phase 7 of 7');
  t.is(await holds(t, path, 'xfs'), 'kept');
});

xfs('an xfs whose repair would cost a file is left, with what xfs_repair would do', async (t) => {
  const path = await made(t, 'xfs');
  const inode = await used(t, path, 'xfs', async (target) => {
    const file = join(target, 'file');
    await writeFile(file, 'kept');
    return (await stat(file)).ino;
  });
  await output(['xfs_db', '-x', '-c', `inode ${inode}`, '-c', 'write -d core.magic 0', path]);
  await output(['xfs_db', '-x', '-c', 'agi 0', '-c', 'write -d magicnum 0', path]);
  const before = await readFile(path);
  const error = await t.throwsAsync<BlockError>(check(path, { type: 'xfs', refused: true }), {
    code: 'ERR_BLOCK_DAMAGED',
    message: /xfs_repair -n/,
  });
  t.true(error?.reasons.includes(`would have cleared inode ${inode}`));
  t.true(before.equals(await readFile(path)));
});

xfs('an xfs that waits for its repair is repaired before anybody mounts it', async (t) => {
  const path = await made(t, 'xfs');
  const features = await output(['xfs_db', '-c', 'sb 0', '-c', 'p features_incompat', path]);
  const needsRepair = Number(features.split('=')[1]) | 0x10;
  await output(['xfs_db', '-x', '-c', 'sb 0', '-c', `write -d features_incompat ${needsRepair}`, path]);
  t.is((await check(path, { type: 'xfs' }))?.result, 'repaired');
  t.is(await check(path, { type: 'xfs' }), undefined);
});

xfs('the log of an xfs is never thrown away', async (t) => {
  const path = await cut(t, await made(t, 'xfs'), 'xfs');
  const before = await readFile(path);
  await t.throwsAsync(check(path, { type: 'xfs', refused: true }), {
    code: 'ERR_BLOCK_DAMAGED',
    message: /xfs_repair -L/,
  });
  t.true(before.equals(await readFile(path)));
});

ext4('a filesystem in use is not touched', async (t) => {
  const path = await made(t, 'ext4');
  await used(t, path, 'ext4', async () => {
    await t.throwsAsync(check(path, { type: 'ext4', refused: true }), { code: 'ERR_BLOCK_FAILED' });
  });
});

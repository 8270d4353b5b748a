import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loopDevice, output, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { wipe, type BlankOptions } from '../../src/index.ts';
import '../patient-proofs.ts';

const rooted = testWith(root);
const mib = 1 << 20;
const places = [50, 129, 200];

/** A disk with old data in the middle. */
async function stale(t: ExecutionContext, sizeMiB: number, file?: string) {
  const disk = await loopDevice(t, { sizeBytes: sizeMiB * mib, ...(file !== undefined && { file }) });
  await using device = await open(disk.path, 'r+');
  for (const place of places)
    if (place < sizeMiB) await device.write(Buffer.from('OLDDATA'), 0, 7, place * mib);
  await device.sync();
  return disk;
}

/** Where the files have no holes, and a disk made of one takes no discards. */
async function withoutHoles(t: ExecutionContext): Promise<string> {
  const directory = join(await temporaryDirectory(t), 'ramfs');
  await mkdir(directory);
  await output(['mount', '-t', 'ramfs', 'ramfs', directory]);
  t.teardown(() => output(['umount', directory]));
  return directory;
}

async function isBlank(path: string): Promise<boolean> {
  const bytes = await readFile(path);
  return bytes.equals(Buffer.alloc(bytes.length));
}

async function find(path: string, text: string): Promise<number> {
  return (await readFile(path)).indexOf(text);
}

rooted('zeros take the place of old data on a disk without discards, and progress is told', async (t) => {
  const file = join(await withoutHoles(t), 'disk.img');
  await writeFile(file, '');
  await truncate(file, 300 * mib);
  const disk = await stale(t, 300, file);
  const queue = `/sys/block/${disk.path.slice('/dev/'.length)}/queue`;
  t.is(Number(await readFile(`${queue}/discard_max_bytes`, 'utf8')), 0);
  t.is(await find(disk.path, 'OLDDATA'), 50 * mib);
  const progress: [bigint, bigint][] = [];
  const durable: bigint[] = [];
  await wipe.blank(disk.path, {
    method: 'zeroes',
    onProgress: (done, total) => progress.push([done, total]),
    onDurable: async (done) => void durable.push(done),
  });
  t.true(await isBlank(disk.path));
  const total = 300n << 20n;
  t.deepEqual(progress, [
    [256n << 20n, total],
    [total, total],
  ]);
  t.deepEqual(durable, [total]);
});

rooted('an abort ends it between two ranges, and it goes on where it was', async (t) => {
  const disk = await stale(t, 600);
  await using device = await open(disk.path, 'r+');
  await device.write(Buffer.from('OLDDATA'), 0, 7, 400 * mib);
  await device.close();
  const stop = new AbortController();
  const options: BlankOptions = { method: 'zeroes', signal: stop.signal, onProgress: () => stop.abort() };
  await t.throwsAsync(wipe.blank(disk.path, options), { name: 'AbortError' });
  t.is(await find(disk.path, 'OLDDATA'), 400 * mib);
  await using again = await open(disk.path, 'r+');
  await again.write(Buffer.from('BEFORE'), 0, 6, 10 * mib);
  await again.close();
  await wipe.blank(disk.path, { method: 'zeroes', fromBytes: 256n << 20n });
  t.is(await find(disk.path, 'OLDDATA'), -1);
  t.is(await find(disk.path, 'BEFORE'), 10 * mib, 'what was made blank is not made so again');
});

rooted(
  'discards are taken only where the device guarantees zeros, and leave its room to others',
  async (t) => {
    const disk = await loopDevice(t, { sizeBytes: 64 * mib });
    await writeFile(disk.path, randomBytes(64 * mib), { flag: 'r+', flush: true });
    await wipe.blank(disk.path, { method: 'discard' });
    t.true((await readFile(disk.path)).every((byte) => byte === 0));
    t.true((await stat(disk.file)).blocks * 512 < mib);
  },
);

rooted('a device without that guarantee is refused with the reason, and keeps what it has', async (t) => {
  const file = join(await withoutHoles(t), 'disk.img');
  await writeFile(file, Buffer.alloc(64 * mib));
  const disk = await stale(t, 64, file);
  await t.throwsAsync(wipe.blank(disk.path, { method: 'discard' }), {
    code: 'ERR_BLOCK_NO_ZEROES',
    message: `${disk.path}: the device does not guarantee that what is discarded reads as zeros`,
  });
  t.is(await find(disk.path, 'OLDDATA'), 50 * mib);
  await wipe.blank(disk.path, { method: 'zeroes' });
  t.is(await find(disk.path, 'OLDDATA'), -1);
});

rooted('what somebody uses, and what is another disk by now, is not made blank', async (t) => {
  const disk = await stale(t, 64);
  await output(['mkfs.ext4', '-q', disk.path]);
  const target = await temporaryDirectory(t);
  await output(['mount', disk.path, target]);
  const refused = await t.throwsAsync(wipe.blank(disk.path, { method: 'zeroes' }), {
    code: 'ERR_BLOCK_BUSY',
  });
  t.regex(refused?.message ?? '', /it is mounted on/);
  await output(['umount', target]);
  await t.throwsAsync(wipe.blank(disk.path, { method: 'zeroes', sequence: 0n }), {
    code: 'ERR_BLOCK_NOT_FOUND',
  });
  t.false(await isBlank(disk.path));
});

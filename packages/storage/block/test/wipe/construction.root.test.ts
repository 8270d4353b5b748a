import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';

import { type LoopDevice, loopDevice, output, program, root, testWith } from '@nodecore/testkit';

import { encodeMark, markPlaces } from '../../src/content/construction-mark.ts';
import * as construction from '../../src/wipe/construction.ts';
import * as filesystems from '../../src/filesystems/filesystems.ts';
import * as partitions from '../../src/partitions/partitions.ts';
import { probe } from '../../src/content/probe.ts';
import '../patient-proofs.ts';

const mib = 1 << 20;
const rooted = testWith(root, program('mkfs.xfs'), program('mkfs.ext4'), program('mkfs.btrfs'));
const mark = { volumeId: 'u-data', nonce: randomBytes(16).toString('hex') };
const another = { ...mark, nonce: randomBytes(16).toString('hex') };

async function put({ path }: LoopDevice, offset: number, bytes: Buffer): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, offset);
  await file.sync();
}

async function bytesOf({ path, file }: LoopDevice): Promise<Buffer> {
  await output(['blockdev', '--flushbufs', path]);
  return readFile(file);
}

rooted(
  'a mark goes on what is proven empty only, and a restart needs the mark of the same attempt',
  async (t) => {
    const disk = await loopDevice(t, { sizeBytes: 32 * mib });
    const { path } = disk;
    await put(disk, 100, Buffer.from('somebody was here'));
    const before = await bytesOf(disk);
    await t.throwsAsync(construction.begin(path, { mark }), { code: 'ERR_BLOCK_NOT_EMPTY' });
    await t.throwsAsync(construction.restart(path, { mark }), { code: 'ERR_BLOCK_NOT_EMPTY' });
    t.true((await bytesOf(disk)).equals(before), 'nothing was written');
    await put(disk, 100, Buffer.alloc(17));
    await t.throwsAsync(construction.begin(path, { mark, sequence: 0n }), { code: 'ERR_BLOCK_NOT_FOUND' });
    t.false(await construction.isMarked(path, mark));
    await construction.begin(path, { mark, discard: true });
    t.true(await construction.isMarked(path, mark));
    t.false(await construction.isMarked(path, another));
    t.false(await construction.isMarked(path, { ...mark, volumeId: 'u-other' }));
    await t.throwsAsync(construction.restart(path, { mark: another }), { code: 'ERR_BLOCK_NOT_EMPTY' });
    await t.throwsAsync(construction.restart(path, { mark, sequence: 0n }), { code: 'ERR_BLOCK_NOT_FOUND' });
    await put(disk, 0, randomBytes(8 * mib));
    await construction.restart(path, { mark, discard: true });
    t.deepEqual((await probe(path)).signatures, []);
    const after = await bytesOf(disk);
    t.true(after.subarray(0, mib).equals(Buffer.alloc(mib)));
    const block = encodeMark(mark);
    for (const place of markPlaces({ offset: 0n, size: BigInt(32 * mib) }))
      t.true(after.subarray(Number(place), Number(place) + block.length).equals(block), `${place}`);
    await construction.end(path, { mark });
    t.false(await construction.isMarked(path, mark));
  },
);

rooted('one copy of a mark is enough, and none with a wrong byte', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 32 * mib });
  const [, , place = 0n] = markPlaces({ offset: 0n, size: BigInt(32 * mib) });
  const block = encodeMark(mark);
  t.regex(block.toString(), /^nodecore construction\nvolume u-data\nnonce [0-9a-f]{32}\n/);
  const text = block.subarray(0, 480);
  t.deepEqual(block.subarray(480, 512), createHash('sha256').update(text).digest());
  await put(disk, Number(place), block);
  t.true(await construction.isMarked(disk.path, mark));
  for (const at of [0, 30, 500, 511, 4095]) {
    const wrong = Buffer.from(block);
    wrong[at] = (wrong[at] ?? 0) ^ 1;
    await put(disk, Number(place), wrong);
    t.false(await construction.isMarked(disk.path, mark), `${at}`);
  }
});

for (const [type, sizeMib, check] of [
  ['xfs', 300, ['xfs_repair', '-n']],
  ['xfs', 1024, ['xfs_repair', '-n']],
  ['ext4', 16, ['e2fsck', '-fn']],
  ['ext4', 512, ['e2fsck', '-fn']],
  ['btrfs', 115, ['btrfs', 'check']],
  ['btrfs', 600, ['btrfs', 'check']],
  ['swap', 16, undefined],
] as const) {
  rooted(`the mark outlives the making of ${type} on ${sizeMib} MiB, and goes without a trace`, async (t) => {
    const disk = await loopDevice(t, { sizeBytes: sizeMib * mib });
    const { path } = disk;
    await construction.begin(path, { mark, discard: true });
    const uuid = randomUUID();
    t.is((await filesystems.format(path, { type, uuid, wiped: true, discard: false })).uuid, uuid);
    t.true(await construction.isMarked(path, mark));
    await construction.end(path, { mark });
    t.false(await construction.isMarked(path, mark));
    t.false((await bytesOf(disk)).includes('nodecore construction'));
    t.like(await probe(path), { name: type, uuid });
    if (check !== undefined) await t.notThrowsAsync(output([...check, path]));
  });
}

rooted('a partition has the mark before its entry is there', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 32 * mib });
  await partitions.create(disk.path);
  await put(disk, 8 * mib, randomBytes(mib));
  const partition = await partitions.add(disk.path, {
    label: 'u-data',
    typeGuid: '0fc63daf-8483-4772-8e79-3d69d8477de4',
    partitionGuid: randomUUID(),
    sizeBytes: 'rest',
    underConstruction: true,
    mark,
  });
  t.true(await construction.isMarked(partition.devPath, mark));
  await construction.restart(partition.devPath, { mark });
  await construction.end(partition.devPath, { mark });
  t.false((await bytesOf(disk)).includes('nodecore construction'));
});

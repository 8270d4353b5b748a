import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { allowSlowProofs, partitions } from '@nodecore/block';
import { partitionType } from '@nodecore/image';
import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { contentOf } from '../src/installs/disk-content.ts';
import { machineDisks } from '../src/installs/disks.ts';
import { constructionMark } from '../src/installs/layout.ts';

allowSlowProofs(60_000); // beside other tests a proof takes longer than its disk does

const mib = 1 << 20;

/** A disk of zeros with a table that we have just made. */
async function withTable(t: ExecutionContext): Promise<string> {
  const path = join(await temporaryDirectory(t), 'disk.img');
  await using file = await open(path, 'w');
  await file.truncate(128 * mib);
  t.deepEqual(await contentOf({ devPath: path }, machineDisks), { kind: 'empty' });
  await machineDisks.createTable(path, { sequence: undefined, wiped: false });
  return path;
}

/** @returns where it is. */
async function addPartition(path: string, sizeMib: number) {
  return await partitions.add(path, {
    label: 'data',
    typeGuid: partitionType.linux,
    partitionGuid: randomUUID(),
    sizeBytes: BigInt(sizeMib * mib),
    underConstruction: false,
  });
}

test('an installation that was cut off behind its table has begun', async (t) => {
  const path = await withTable(t);
  t.deepEqual(await contentOf({ devPath: path }, machineDisks), { kind: 'begun', partitions: [] });
});

testWith(program('mkfs.ext4'))(
  "a filesystem whose partition has lost its entry is somebody's, and what it is is said",
  async (t) => {
    const path = await withTable(t);
    const { offset, size, partitionGuid } = await addPartition(path, 64);
    await output(['mkfs.ext4', '-q', '-F', '-E', `offset=${offset}`, path, `${size / 1024n}k`]);
    await partitions.remove(path, partitionGuid);
    t.deepEqual((await partitions.read(path))?.partitions, []);
    const found = await contentOf({ devPath: path }, machineDisks);
    t.is(found.kind, 'occupied');
    if (found.kind === 'occupied') t.regex(found.reasons.join(), /signature of ext4 at byte \d+/u);
  },
);

test('an installation that was cut off behind the marks of its first partition has begun, and whatever is beside them is not of it', async (t) => {
  const path = await withTable(t);
  const partitionGuid = randomUUID();
  const { offset } = await machineDisks.add(path, {
    label: 'EFI',
    typeGuid: partitionType.efi,
    partitionGuid,
    sizeBytes: BigInt(100 * mib),
    underConstruction: true,
    mark: constructionMark('EFI', partitionGuid),
  });
  await machineDisks.remove(path, partitionGuid);
  t.deepEqual(await contentOf({ devPath: path }, machineDisks), { kind: 'begun', partitions: [] });
  await using file = await open(path, 'r+');
  const place = Number(offset) + mib;
  for (const at of [place + 4096, place + 600, place + 10]) {
    const { buffer: before } = await file.read(Buffer.alloc(1), 0, 1, at);
    await file.write(Buffer.of(0x55), 0, 1, at);
    t.is((await contentOf({ devPath: path }, machineDisks)).kind, 'occupied', `byte ${at}`);
    await file.write(before, 0, 1, at);
  }
  t.is((await contentOf({ devPath: path }, machineDisks)).kind, 'begun');
});

test('bytes that nobody knows are too, also where no table of today lets a partition begin', async (t) => {
  const path = await withTable(t);
  const first = await addPartition(path, 50);
  const second = await addPartition(path, 10);
  await using file = await open(path, 'r+');
  await file.write(Buffer.alloc(mib, 'data'), 0, mib, Number(second.offset) + 4 * mib);
  for (const { partitionGuid } of [first, second]) await partitions.remove(path, partitionGuid);
  t.is((await contentOf({ devPath: path }, machineDisks)).kind, 'occupied');
});

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { open, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { DeviceFile } from '../../src/devices/device-file.ts';
import { BlockError } from '../../src/errors.ts';
import * as partitions from '../../src/partitions/partitions.ts';
import { compareCopies, type TableCopies } from '../../src/partitions/table-copies.ts';
import '../patient-proofs.ts';

const mib = 1 << 20;
const size = 64 * mib;
const sector = 512;
/** The header of the second copy, and the entries before it. */
const backup = { offset: size - 33 * sector, size: 33 * sector };

async function image(t: ExecutionContext): Promise<string> {
  const path = join(await temporaryDirectory(t), 'disk.img');
  await using file = await open(path, 'w');
  await file.truncate(size);
  await partitions.create(path);
  return path;
}

async function get(path: string, { offset, size: length }: typeof backup): Promise<Buffer> {
  await using file = await open(path, 'r');
  return (await file.read(Buffer.alloc(length), 0, length, offset)).buffer;
}

async function put(path: string, offset: number, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, offset);
}

async function flip(path: string, offset: number): Promise<void> {
  const [byte = 0] = await get(path, { offset, size: 1 });
  await put(path, offset, new Uint8Array([byte ^ 0x80]));
}

async function setBit(path: string, offset: number): Promise<void> {
  const [byte = 0] = await get(path, { offset, size: 1 });
  await put(path, offset, new Uint8Array([byte ^ 1]));
}

/** Changes the header of the second copy, and its checksum with it. */
async function forge(path: string, change: (header: Buffer) => void): Promise<void> {
  const header = await get(path, { offset: size - sector, size: sector });
  change(header);
  header.writeUInt32LE(0, 16);
  header.writeUInt32LE(crc32(header.subarray(0, header.readUInt32LE(12))), 16);
  await put(path, size - sector, header);
}

async function copiesOf(path: string): Promise<TableCopies> {
  await using device = await DeviceFile.open(path);
  return await compareCopies(device);
}

const add = (path: string, sizeMib: number, label: string, underConstruction = false) =>
  partitions.add(path, {
    label,
    typeGuid: '0fc63daf-8483-4772-8e79-3d69d8477de4',
    partitionGuid: randomUUID(),
    sizeBytes: BigInt(sizeMib * mib),
    underConstruction,
  });

const bytes = (from: number, count: number, step = 1): number[] =>
  Array.from({ length: count }, (_, index) => from + index * step);

const sum = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

async function refused(t: ExecutionContext, path: string, saying: RegExp): Promise<void> {
  const before = await sum(path);
  const error = await t.throwsAsync<BlockError>(add(path, 2, 'u-new', true), { instanceOf: BlockError });
  t.is(error.code, 'ERR_BLOCK_TABLE_DAMAGED');
  t.regex(error.reasons.join('; '), saying);
  t.regex(error.message, /sgdisk -v/);
  t.is(await sum(path), before, 'nothing was written');
}

test('a first copy that is damaged and a second that is older are left alone, with the data of the newer partition', async (t) => {
  const path = await image(t);
  await add(path, 10, 'p1');
  const older = await get(path, backup);
  const { offset } = await add(path, 30, 'p2');
  await put(path, Number(offset), randomBytes(mib));
  await put(path, backup.offset, older);
  await refused(t, path, /differ, so one is older: in partition 2/);
  await flip(path, sector + 56);
  await refused(t, path, /first copy \(sector 1\) is damaged/);
  t.deepEqual((await partitions.read(path))?.damage?.length, 1);
});

test('a second copy that is older is refused also when the first one has lost a partition, or has a smaller one', async (t) => {
  const path = await image(t);
  const { partitionGuid } = await add(path, 10, 'p1');
  const small = await get(path, backup);
  await partitions.grow(path, partitionGuid, BigInt(20 * mib));
  const large = await get(path, backup);
  await put(path, backup.offset, small);
  await refused(t, path, /differ/);
  await put(path, backup.offset, large);
  await partitions.remove(path, partitionGuid);
  await put(path, backup.offset, large);
  await refused(t, path, /differ/);
});

test('equal copies pass after every change, and no mark of a change stays', async (t) => {
  const path = await image(t);
  t.is((await copiesOf(path)).state, 'whole');
  const { partitionGuid } = await add(path, 10, 'p1', true);
  await partitions.setUnderConstruction(path, partitionGuid, false);
  await partitions.grow(path, partitionGuid, BigInt(20 * mib));
  await add(path, 10, 'p2');
  t.deepEqual(
    (await partitions.read(path))?.partitions.map(({ attributes }) => attributes),
    [0n, 0n],
  );
  await partitions.remove(path, partitionGuid);
  t.is((await copiesOf(path)).state, 'whole');
  t.is((await partitions.read(path))?.damage, undefined);
});

test('one wrong byte anywhere in a header, in the entries, or in what protects them is damage', async (t) => {
  const path = await image(t);
  await add(path, 10, 'p1');
  await add(path, 10, 'p2');
  const places = [
    450, // the type in the protective MBR, and where it begins
    454,
    510,
    511,
    ...bytes(sector, sector),
    ...bytes(size - sector, sector),
    ...bytes(2 * sector, 2 * 128),
    ...bytes(backup.offset, 2 * 128),
    ...bytes(2 * sector + 256, 126, 128),
    ...bytes(backup.offset + 256, 126, 128),
  ];
  for (const place of places) {
    await flip(path, place);
    const { state } = await copiesOf(path);
    t.is(state, 'damaged', `byte ${place}`);
    await flip(path, place);
  }
  t.is((await copiesOf(path)).state, 'whole');
});

test('copies that differ in the mark of one partition alone are completed: both have the same partitions', async (t) => {
  const path = await image(t);
  const { partitionGuid } = await add(path, 10, 'p1', true);
  const marked = await get(path, backup);
  await partitions.setUnderConstruction(path, partitionGuid, false);
  await put(path, backup.offset, marked);
  t.is((await copiesOf(path)).state, 'interrupted');
  await add(path, 10, 'p2');
  const table = await partitions.read(path);
  t.deepEqual(
    table?.partitions.map(({ label, underConstruction }) => [label, underConstruction]),
    [
      ['p1', false],
      ['p2', false],
    ],
  );
});

test('the mark of a partition in the first copy alone is damage: our changes begin with the second', async (t) => {
  const path = await image(t);
  await add(path, 10, 'p1', true);
  await setBit(path, 2 * sector + 55);
  await refused(t, path, /first copy .* entries do not fit/);
});

test('entries that are equal in both copies and fit no checksum are damage', async (t) => {
  const path = await image(t);
  await add(path, 10, 'p1');
  for (const offset of [2 * sector, backup.offset]) await flip(path, offset + 20);
  t.is((await copiesOf(path)).state, 'damaged');
});

test('headers with right checksums that belong to two tables are damage', async (t) => {
  const path = await image(t);
  await add(path, 10, 'p1', true);
  const whole = await get(path, backup);
  for (const [what, change] of [
    ['diskGuid', (header: Buffer) => header.writeUInt8(header.readUInt8(56) ^ 1, 56)],
    ['usable range', (header: Buffer) => header.writeBigUInt64LE(header.readBigUInt64LE(48) - 8n, 48)],
    ['own place', (header: Buffer) => header.writeBigUInt64LE(header.readBigUInt64LE(24) - 1n, 24)],
    ['other place', (header: Buffer) => header.writeBigUInt64LE(2n, 32)],
    ['place of the entries', (header: Buffer) => header.writeBigUInt64LE(2n, 72)],
  ] as const) {
    await forge(path, change);
    t.is((await copiesOf(path)).state, 'damaged', what);
    await put(path, backup.offset, whole);
  }
  // A second copy that is neither of before nor of after the change of its entries.
  await setBit(path, backup.offset + 55);
  t.is((await copiesOf(path)).state, 'interrupted');
  await forge(path, (header) => header.writeUInt32LE(1, 88));
  t.is((await copiesOf(path)).state, 'damaged');
});

test('a protective MBR with a second partition, or none, is damage', async (t) => {
  const path = await image(t);
  await put(path, 446 + 16 + 4, new Uint8Array([0x83]));
  t.like(await copiesOf(path), { reasons: ['its protective MBR has partitions of its own'] });
  await put(path, 446, Buffer.alloc(64));
  t.like(await copiesOf(path), { reasons: ['its MBR does not protect the table'] });
});

test('after a disk has grown its second copy is where the disk ended, and must be equal there', async (t) => {
  const path = await image(t);
  await add(path, 10, 'p1');
  await truncate(path, 2 * size);
  t.is((await copiesOf(path)).state, 'grown');
  await flip(path, size - sector + 20);
  await refused(t, path, /second copy .* is damaged/);
  await flip(path, size - sector + 20);
  await add(path, 60, 'p2', true);
  t.is((await copiesOf(path)).state, 'whole');
});

test('on a disk that shrank the second copy is missed', async (t) => {
  const path = await image(t);
  await add(path, 10, 'p1');
  await truncate(path, size - 10 * mib);
  const copies = await copiesOf(path);
  t.true(copies.state === 'damaged' && /has shrunk/.test(copies.reasons.join()));
});

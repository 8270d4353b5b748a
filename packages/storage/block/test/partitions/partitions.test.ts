import { createHash, randomUUID } from 'node:crypto';
import { open, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';

import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { emptiness } from '../../src/proof/emptiness.ts';
import { BlockError, type BlockErrorCode } from '../../src/errors.ts';
import * as partitions from '../../src/partitions/partitions.ts';
import '../patient-proofs.ts';

const mib = 1n << 20n;
const linux = '0fc63daf-8483-4772-8e79-3d69d8477de4';

async function image(t: ExecutionContext, sizeBytes = 64n * mib): Promise<string> {
  const path = join(await temporaryDirectory(t), 'disk.img');
  await using file = await open(path, 'w');
  await file.truncate(Number(sizeBytes));
  return path;
}

async function put(path: string, offset: bigint, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, Number(offset));
}

const sum = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** Lets a standard tool make the table, in a way that we would not. */
const sfdisk = (path: string, script: string): Promise<string> =>
  output(['sfdisk', '--quiet', '--no-reread', '--no-tell-kernel', path], { input: script });

const add = (path: string, sizeBytes: bigint | 'rest', label = 'u-data') =>
  partitions.add(path, {
    label,
    typeGuid: linux,
    partitionGuid: randomUUID(),
    sizeBytes,
    underConstruction: true,
  });

async function refused(
  t: ExecutionContext,
  code: BlockErrorCode,
  action: () => Promise<unknown>,
  path: string,
): Promise<BlockError> {
  const before = await sum(path);
  const error = await t.throwsAsync<BlockError>(action, { instanceOf: BlockError });
  t.is(error?.code, code);
  t.is(await sum(path), before, 'nothing was written');
  return error;
}

test('a file of zeros has no table, and gets one', async (t) => {
  const path = await image(t);
  t.is(await partitions.read(path), undefined);
  const diskGuid = randomUUID();
  const table = await partitions.create(path, { diskGuid });
  t.deepEqual(table, {
    device: path,
    diskGuid,
    sectorSize: 512,
    partitions: [],
    free: [{ offset: mib, size: 62n * mib }],
  });
  t.deepEqual(await partitions.read(path), table);
});

test('a table is never made twice', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  const error = await refused(t, 'ERR_BLOCK_NOT_EMPTY', () => partitions.create(path), path);
  t.regex(error.reasons.join(), /gpt at byte/);
});

test('a partition has what it was asked for, aligned and under the lowest number', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  const partitionGuid = randomUUID();
  const made = await partitions.add(path, {
    label: 'u-größe',
    typeGuid: linux.toUpperCase(),
    partitionGuid,
    sizeBytes: 10n * mib + 1n,
    underConstruction: true,
  });
  t.deepEqual(made, {
    index: 1,
    partitionGuid,
    typeGuid: linux,
    label: 'u-größe',
    offset: mib,
    size: 10n * mib + 512n,
    attributes: 1n << 56n,
    underConstruction: true,
    devPath: '',
  });
  const second = await add(path, 'rest');
  t.like(second, { index: 2, offset: 12n * mib, size: 51n * mib });
  t.deepEqual((await partitions.read(path))?.partitions, [made, second]);
  t.is(partitions.largestFree((await partitions.read(path)) ?? t.fail()), 0n);
});

test('the mark of construction is set and cleared, and nothing else changes', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  const made = await add(path, 10n * mib);
  await partitions.setUnderConstruction(path, made.partitionGuid.toUpperCase(), false);
  t.deepEqual((await partitions.read(path))?.partitions, [
    { ...made, attributes: 0n, underConstruction: false },
  ]);
  await partitions.setUnderConstruction(path, made.partitionGuid, true);
  t.deepEqual((await partitions.read(path))?.partitions, [made]);
});

test('a partition grows into the free range behind it, and no further', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  const first = await add(path, 10n * mib);
  t.is((await partitions.grow(path, first.partitionGuid, 20n * mib)).size, 20n * mib);
  await add(path, 10n * mib);
  const grow = () => partitions.grow(path, first.partitionGuid, 21n * mib);
  await refused(t, 'ERR_BLOCK_NO_SPACE', grow, path);
});

test('what was in the new range before does not come to light in it', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  await put(path, mib, Buffer.alloc(Number(mib), 'old'));
  await put(path, 10n * mib, Buffer.alloc(Number(mib), 'old'));
  await add(path, 10n * mib);
  const bytes = await readFile(path);
  t.true(bytes.subarray(Number(mib), Number(2n * mib)).every((byte) => byte === 0));
  t.true(bytes.subarray(Number(10n * mib), Number(11n * mib)).every((byte) => byte === 0));
});

testWith(program('sfdisk'))('entries in any order are kept as they are, and gaps are used', async (t) => {
  const path = await image(t);
  await sfdisk(
    path,
    `label: gpt
3 : start=40960, size=10240, name=c
1 : start=83968, size=10240, name=a
7 : start=61440, size=10240, name=b
`,
  );
  const before = (await partitions.read(path))?.partitions ?? [];
  t.deepEqual(
    before.map(({ index }) => index),
    [1, 3, 7],
  );
  const made = await add(path, 5n * mib);
  t.is(made.index, 2);
  t.is(made.offset, 25n * mib, 'the smallest of the gaps that hold it');
  const after = (await partitions.read(path))?.partitions ?? [];
  t.deepEqual(
    after.filter(({ index }) => index !== 2),
    before,
  );
});

testWith(program('sfdisk'))('a table without a free entry takes no more', async (t) => {
  const path = await image(t, 200n * mib);
  const lines = Array.from({ length: 128 }, (_, n) => `start=${2048 * (n + 1)}, size=2048`);
  await sfdisk(path, `label: gpt\n${lines.join('\n')}\n`);
  await refused(t, 'ERR_BLOCK_NO_SPACE', () => add(path, mib), path);
});

test('a range that is too small is refused', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  await refused(t, 'ERR_BLOCK_NO_SPACE', () => add(path, 63n * mib), path);
  await add(path, 62n * mib);
  await refused(t, 'ERR_BLOCK_NO_SPACE', () => add(path, 'rest'), path);
});

test('a disk that has grown offers its new end and gets the second copy there', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  const first = await add(path, 'rest');
  await truncate(path, Number(128n * mib));
  const table = await partitions.read(path);
  t.deepEqual(table?.partitions, [first]);
  t.deepEqual(table?.free, [{ offset: 63n * mib, size: 64n * mib }]);
  const second = await add(path, 'rest');
  t.like(second, { offset: 63n * mib, size: 64n * mib });
  // The first copy is lost now: the second must be where it is looked for.
  await put(path, 512n, Buffer.alloc(512));
  t.deepEqual((await partitions.read(path))?.partitions, [first, second]);
});

test('on a disk that has shrunk below its partitions nothing is written', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  await add(path, 'rest');
  await truncate(path, Number(32n * mib));
  await refused(t, 'ERR_BLOCK_FOREIGN_TABLE', () => add(path, mib), path);
});

test('a damaged first copy is read from the second, and nothing is written', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  const first = await add(path, 10n * mib);
  await put(path, 512n + 60n, Buffer.from('damage'));
  t.deepEqual((await partitions.read(path))?.partitions, [first]);
  const { partitionGuid } = first;
  for (const change of [
    () => add(path, 10n * mib),
    () => partitions.grow(path, partitionGuid, 20n * mib),
    () => partitions.setUnderConstruction(path, partitionGuid, false),
    () => partitions.remove(path, partitionGuid),
    () => partitions.announce(path, { partitionGuid, toRemove: true }),
  ]) {
    const error = await refused(t, 'ERR_BLOCK_TABLE_DAMAGED', change, path);
    t.regex(error.message, /first copy .* is damaged.*sgdisk -v/);
  }
  t.deepEqual((await partitions.announce(path)).length, 1, 'what writes nothing goes on');
});

test('a table that is damaged in both copies is not taken for none', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  await add(path, 10n * mib);
  await put(path, 512n + 60n, Buffer.from('damage'));
  await put(path, 64n * mib - 512n + 60n, Buffer.from('damage'));
  const error = await refused(t, 'ERR_BLOCK_FOREIGN_TABLE', () => partitions.read(path), path);
  t.true(error.reasons.length > 0);
  await refused(t, 'ERR_BLOCK_FOREIGN_TABLE', () => add(path, mib), path);
  await refused(t, 'ERR_BLOCK_NOT_EMPTY', () => partitions.create(path), path);
});

testWith(program('sfdisk'))('an MBR table is not taken for none', async (t) => {
  for (const script of ['label: dos\nsize=10M\n', 'label: dos\n']) {
    const path = await image(t);
    await sfdisk(path, script);
    await refused(t, 'ERR_BLOCK_FOREIGN_TABLE', () => partitions.read(path), path);
    await refused(t, 'ERR_BLOCK_FOREIGN_TABLE', () => add(path, mib), path);
    await refused(t, 'ERR_BLOCK_NOT_EMPTY', () => partitions.create(path), path);
  }
});

test('a protective MBR that has partitions of its own is left alone', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  const { offset } = await add(path, 10n * mib);
  const entry = Buffer.alloc(16);
  entry[4] = 0x83;
  entry.writeUInt32LE(Number(offset / 512n), 8);
  entry.writeUInt32LE(20_480, 12);
  await put(path, 446n + 16n, entry);
  const error = await refused(t, 'ERR_BLOCK_FOREIGN_TABLE', () => add(path, mib), path);
  t.regex(error.reasons.join(), /partitions of its own/);
});

test('a table behind a filesystem of the whole disk is left alone', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  const descriptor = Buffer.alloc(2048);
  descriptor.write('\u0001CD001\u0001', 0, 'latin1');
  await put(path, 0x8000n, descriptor);
  const error = await refused(t, 'ERR_BLOCK_FOREIGN_TABLE', () => add(path, mib), path);
  t.regex(error.reasons.join(), /iso9660/);
});

test('without a table there is nothing to add to', async (t) => {
  const path = await image(t);
  await refused(t, 'ERR_BLOCK_NOT_FOUND', () => add(path, mib), path);
  await partitions.create(path);
  const unknown = () => partitions.setUnderConstruction(path, randomUUID(), false);
  await refused(t, 'ERR_BLOCK_NOT_FOUND', unknown, path);
});

test('a label that does not fit and a GUID that is taken are refused', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  const { partitionGuid } = await add(path, mib, 'x'.repeat(36));
  await t.throwsAsync(async () => add(path, mib, 'x'.repeat(37)), { instanceOf: RangeError });
  const again = () =>
    partitions.add(path, {
      label: 'again',
      typeGuid: linux,
      partitionGuid,
      sizeBytes: mib,
      underConstruction: false,
    });
  await refused(t, 'ERR_BLOCK_FAILED', again, path);
});

test('an aborted signal stops a change before it is written', async (t) => {
  const path = await image(t);
  const before = await sum(path);
  const signal = AbortSignal.abort(new Error('shutting down'));
  await t.throwsAsync(partitions.create(path, { signal }), { message: 'shutting down' });
  t.is(await sum(path), before);
});

test('changes that arrive together are made one at a time', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  const made = await Promise.all(Array.from({ length: 8 }, () => add(path, mib)));
  const sorted = made.sort((one, other) => one.index - other.index);
  t.deepEqual(
    sorted.map(({ index }) => index),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
  t.deepEqual((await partitions.read(path))?.partitions, sorted);
});

test('a file with a finished empty table is not empty', async (t) => {
  const path = await image(t);
  await partitions.create(path);
  t.false((await emptiness(path)).empty);
});

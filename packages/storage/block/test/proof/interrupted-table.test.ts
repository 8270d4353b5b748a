import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { emptiness } from '../../src/proof/emptiness.ts';
import * as partitions from '../../src/partitions/partitions.ts';
import '../patient-proofs.ts';

const size = 16 << 20;
const lastSector = size - 512;

async function put(path: string, offset: number, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, offset);
}

/** An image on which the creation of an empty table broke off before the MBR, or before the first header. */
async function interrupted(t: ExecutionContext, before: 'mbr' | 'first header'): Promise<string> {
  const path = join(await temporaryDirectory(t), 'disk.img');
  await using file = await open(path, 'w');
  await file.truncate(size);
  await partitions.create(path);
  await put(path, 0, Buffer.alloc(before === 'mbr' ? 512 : 1024));
  return path;
}

/** Another byte than the one at `offset`: a fixed one may be there already, for the names of tables are random. */
async function change(path: string, offset: number): Promise<void> {
  await using file = await open(path, 'r+');
  const byte = new Uint8Array(1);
  await file.read(byte, 0, 1, offset);
  await file.write(
    byte.map((was) => was ^ 0x55),
    0,
    1,
    offset,
  );
}

async function isEmpty(path: string): Promise<boolean> {
  return (await emptiness(path)).empty;
}

for (const moment of ['mbr', 'first header'] as const) {
  test(`a creation that broke off before the ${moment} counts as empty and is begun anew`, async (t) => {
    const path = await interrupted(t, moment);
    t.true(await isEmpty(path));
    t.is(await partitions.read(path), undefined);
    await partitions.create(path);
    t.deepEqual((await partitions.read(path))?.partitions, []);
  });

  for (const [what, offset] of [
    ['the MBR', 510],
    ['the first entries', 1024],
    ['the first MiB', (1 << 20) - 1],
    ['the last entries', lastSector - 1],
    ['the last MiB', size - (1 << 20)],
    ['the rest of the last sector', size - 1],
    ['the checksummed part of the second header', lastSector + 60],
  ] as const) {
    test(`with another byte in ${what} it does not, before the ${moment}`, async (t) => {
      const path = await interrupted(t, moment);
      await change(path, offset);
      t.false(await isEmpty(path));
    });
  }
}

test('what is left of a table with a partition is not empty', async (t) => {
  const path = await interrupted(t, 'mbr');
  await partitions.create(path);
  await partitions.add(path, {
    label: 'u-data',
    typeGuid: '0fc63daf-8483-4772-8e79-3d69d8477de4',
    partitionGuid: randomUUID(),
    sizeBytes: 'rest',
    underConstruction: true,
  });
  await put(path, 0, Buffer.alloc(1 << 20)); // the first copy is lost
  t.false(await isEmpty(path));
  await t.throwsAsync(partitions.create(path), { code: 'ERR_BLOCK_NOT_EMPTY' });
});

test('a header that says there were entries is not empty, even when the entries read as zero', async (t) => {
  const path = await interrupted(t, 'mbr');
  await partitions.create(path);
  await partitions.add(path, {
    label: 'u-data',
    typeGuid: '0fc63daf-8483-4772-8e79-3d69d8477de4',
    partitionGuid: randomUUID(),
    sizeBytes: 'rest',
    underConstruction: true,
  });
  await put(path, 0, Buffer.alloc(1 << 20));
  await put(path, lastSector - 32 * 512, Buffer.alloc(32 * 512));
  t.false(await isEmpty(path));
});

test('a whole table without a partition counts as nothing to who asks for that, and whatever is beside it does not', async (t) => {
  const path = await interrupted(t, 'mbr');
  await partitions.create(path);
  const reasons = async (): Promise<readonly string[]> => {
    const found = await emptiness(path, { emptyTable: true });
    return found.empty ? [] : found.reasons;
  };
  t.deepEqual(await reasons(), []);
  t.false(await isEmpty(path));
  for (const offset of [0, 470, 612, 1024, (1 << 20) - 1, size / 2 + 1, size - (1 << 20), lastSector - 1]) {
    await put(path, offset, new Uint8Array([0x55]));
    t.not((await reasons()).length, 0, `byte ${offset}`);
    await put(path, offset, new Uint8Array([0]));
  }
  t.deepEqual(await reasons(), []);
});

import { createHash } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { emptiness } from '../../src/proof/emptiness.ts';
import '../patient-proofs.ts';

const mib = 1 << 20;

async function image(t: ExecutionContext, sizeBytes: number): Promise<string> {
  const path = join(await temporaryDirectory(t), 'disk.img');
  await using file = await open(path, 'w');
  await file.truncate(sizeBytes);
  return path;
}

async function put(path: string, offset: number, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, offset);
}

async function reasons(path: string): Promise<string> {
  const found = await emptiness(path);
  return found.empty ? '' : found.reasons.join('\n');
}

test('a file of zeros is empty', async (t) => {
  t.like(await emptiness(await image(t, 64 * mib)), { empty: true });
});

test('a file below two MiB is looked at as a whole', async (t) => {
  const path = await image(t, 1.5 * mib);
  t.like(await emptiness(path), { empty: true });
  await put(path, 0.75 * mib, new Uint8Array([1]));
  t.regex(await reasons(path), /data at byte 786432/);
});

for (const [where, offset] of [
  ['first byte', 0],
  ['last byte of the first MiB', mib - 1],
  ['first byte of the last MiB', 15 * mib],
  ['last byte', 16 * mib - 1],
] as const) {
  test(`one bit in the ${where} makes it not empty, with the place`, async (t) => {
    const path = await image(t, 16 * mib);
    await put(path, offset, new Uint8Array([0x80]));
    t.regex(await reasons(path), new RegExp(`has data at byte ${offset}$`));
  });
}

test('a signature outside the first and the last MiB makes it not empty', async (t) => {
  const path = await image(t, 64 * mib);
  // The magic of a VMFS member lies at exactly one MiB.
  await put(path, mib, Buffer.from([0x0d, 0xd0, 0x01, 0xc0]));
  await put(path, mib + 0x82, Buffer.alloc(16, 0x41));
  t.regex(await reasons(path), /vmfs-volume at byte 1048576/);
});

for (const [version, offset] of [
  ['1.0', 16 * mib - 8192],
  ['1.1', 0],
  ['1.2', 4096],
] as const) {
  test(`a RAID member with metadata ${version} is not empty`, async (t) => {
    const path = await image(t, 16 * mib);
    await put(path, offset, raidSuperblock(offset));
    t.regex(await reasons(path), new RegExp(`linux_raid_member at byte ${offset}`));
  });
}

test('a RAID member with metadata 0.90 is not empty', async (t) => {
  const path = await image(t, 16 * mib);
  const superblock = Buffer.alloc(4096);
  superblock.writeUInt32LE(0xa92b4efc, 0);
  superblock.writeUInt32LE(90, 8); // version 0.90
  superblock.fill(7, 20, 24); // part of the uuid
  await put(path, 16 * mib - 65_536, superblock);
  t.regex(await reasons(path), /linux_raid_member at byte 16711680/);
});

/** The head of struct mdp_superblock_1 (linux/raid/md_p.h), as a driver left it at `offset`. */
function raidSuperblock(offset: number): Buffer {
  const superblock = Buffer.alloc(256);
  superblock.writeUInt32LE(0xa92b4efc, 0);
  superblock.writeUInt32LE(1, 4); // major version
  superblock.fill(7, 16, 32); // uuid of the set
  superblock.writeBigUInt64LE(BigInt(offset / 512), 144); // where it is
  const words = Array.from({ length: 64 }, (_, n) => superblock.readUInt32LE(n * 4));
  const total = words.reduce((sum, word) => sum + BigInt(word), 0n);
  superblock.writeUInt32LE(Number(((total & 0xffffffffn) + (total >> 32n)) & 0xffffffffn), 216);
  return superblock;
}

test('nothing is written by looking', async (t) => {
  const path = await image(t, 4 * mib);
  await put(path, 100, Buffer.from('data'));
  const before = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  t.not(await reasons(path), '');
  t.is(
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
    before,
  );
});

test('a file without a byte, a directory and a missing file are not empty', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'nothing'), '');
  t.regex(await reasons(join(directory, 'nothing')), /no size/);
  t.regex(await reasons(directory), /neither a block device nor a file/);
  t.regex(await reasons(join(directory, 'missing')), /ENOENT/);
});

test('an aborted proof gives the reason of the signal', async (t) => {
  const path = await image(t, 4 * mib);
  await t.throwsAsync(emptiness(path, { signal: AbortSignal.abort(new Error('shutting down')) }), {
    message: 'shutting down',
  });
});

import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { leakedDescriptors, openDescriptors, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { BlockError, probe } from '../../src/index.ts';
import { makers, raidAtEnd, raidAtStart, writeAt } from '../contents.ts';

const sizeBytes = 320n << 20n; // mkfs.xfs wants 300 MiB at least

async function image(t: ExecutionContext, size = sizeBytes): Promise<string> {
  const path = join(await temporaryDirectory(t), 'disk.img');
  await using file = await open(path, 'w', 0o600);
  await file.truncate(Number(size));
  return path;
}

for (const { name, make, program: maker } of makers) {
  const needs = maker === undefined ? [] : [program(maker)];
  testWith(...needs)(`${name} is recognised in a file and is the only signature`, async (t) => {
    const path = await image(t);
    await make(path);
    const found = await probe(path);
    t.is(found.name, name);
    t.deepEqual(
      found.signatures.map(({ type }) => type),
      [name],
    );
    t.is(found.size, sizeBytes);
  });
}

test('md superblocks are recognised at the start and at the end', async (t) => {
  const first = await image(t);
  await raidAtStart(first);
  t.like(await probe(first), {
    name: 'linux_raid_member',
    uuid: '3f2a9c1e-5b64-4d0f-8a11-77c2d9e0b3a4',
    label: 'node:data',
  });
  const last = await image(t);
  await raidAtEnd(last, sizeBytes);
  t.like(await probe(last), {
    name: 'linux_raid_member',
    signatures: [{ usage: 'raid', offset: sizeBytes - 8192n }],
  });
});

test('nothing is recognised in zeros, however small the file', async (t) => {
  for (const size of [0n, 512n, 8192n, 16384n, 1n << 20n, 65n << 20n]) {
    t.like(await probe(await image(t, size)), { name: '', signatures: [], tableType: '', size });
  }
});

testWith(program('mkfs.ext4'))(
  'contradicting signatures are all reported, and none is believed',
  async (t) => {
    const path = await image(t);
    await makers.find(({ name }) => name === 'ext4')?.make(path);
    await makers.find(({ name }) => name === 'squashfs')?.make(path);
    const { name, signatures, uuid } = await probe(path);
    t.is(name, 'ambiguous');
    t.is(uuid, '');
    t.deepEqual(
      signatures.map(({ type, offset }) => [type, offset]),
      [
        ['ext4', 0x438n],
        ['squashfs', 0n],
      ],
    );
  },
);

testWith(program('sfdisk'))('a partition table is read with its entries', async (t) => {
  const path = await image(t);
  await makers.find(({ name }) => name === 'gpt')?.make(path);
  const { tableType, tableEntries } = await probe(path);
  t.is(tableType, 'gpt');
  t.like(tableEntries, [
    {
      index: 1,
      label: 'first',
      offset: 1n << 20n,
      size: 4n << 20n,
      type: '0fc63daf-8483-4772-8e79-3d69d8477de4',
    },
    { index: 2, label: 'rest', offset: 5n << 20n },
  ]);
});

testWith(program('sfdisk'))(
  'a GPT whose protective MBR was erased is still found, though libblkid does not believe it',
  async (t) => {
    const path = await image(t);
    await makers.find(({ name }) => name === 'gpt')?.make(path);
    await writeAt(path, 0n, new Uint8Array(512));
    const { name, signatures } = await probe(path);
    t.is(name, '');
    t.like(signatures, [{ type: 'gpt', usage: 'partition-table' }]);
  },
);

test('a label with a damaged checksum is still found, though libblkid does not believe it', async (t) => {
  const path = await image(t);
  await makers.find(({ name }) => name === 'lvm2-pv')?.make(path);
  await writeAt(path, 528n, Uint8Array.of(0, 0, 0, 0));
  const { name, signatures } = await probe(path);
  t.is(name, '');
  t.like(signatures, [{ type: 'lvm2-pv', usage: 'raid' }]);
});

test('a missing path is an error with its own code, and an abort rejects with its reason', async (t) => {
  const error = await t.throwsAsync(probe('/nonexistent/disk'), { instanceOf: BlockError });
  t.like(error, { code: 'ERR_BLOCK_NOT_FOUND', errno: 'ENOENT', device: '/nonexistent/disk' });
  const reason = new Error('stop');
  t.is(await t.throwsAsync(probe('/dev/zero', { signal: AbortSignal.abort(reason) })), reason);
});

test.serial('probing leaves no descriptor', async (t) => {
  const path = await image(t);
  await probe(path);
  const before = openDescriptors();
  await Promise.all([probe(path), probe(path), t.throwsAsync(probe('/nonexistent/disk'))]);
  t.deepEqual(leakedDescriptors(before), []);
});

test('a META partition is recognised by either copy of its record, and by its size', async (t) => {
  const size = 1n << 20n;
  const begins = Buffer.from('nodecore META 1\n');
  for (const offset of [0n, 1n << 19n]) {
    const path = await image(t, size);
    await writeAt(path, offset, begins);
    t.like(await probe(path), { name: 'meta', signatures: [{ type: 'meta', usage: 'other', offset }] });
  }
  const larger = await image(t, size + 4096n);
  await writeAt(larger, 0n, begins);
  t.is((await probe(larger)).name, '');
  const elsewhere = await image(t, size);
  await writeAt(elsewhere, 512n, begins);
  t.is((await probe(elsewhere)).name, '');
});

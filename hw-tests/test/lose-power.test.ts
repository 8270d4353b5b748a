import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { losePower } from '../src/power-cut/lose-power.ts';
import { RecordFollower } from '../src/power-cut/record-follower.ts';

const sector = 512;
const flags = { flush: 1n, fua: 2n } as const;
type Request = { readonly at?: number; readonly text?: string; readonly flag?: keyof typeof flags };

/** A record as QEMU's blklogwrites leaves it. */
function recordOf(requests: readonly Request[]): Buffer {
  const head = Buffer.alloc(sector);
  head.writeBigUInt64LE(0x6a736677736872n, 0);
  head.writeBigUInt64LE(1n, 8);
  head.writeBigUInt64LE(BigInt(requests.length), 16);
  head.writeUInt32LE(sector, 24);
  const entries = requests.flatMap(({ at = 0, text, flag }) => {
    const entry = Buffer.alloc(sector);
    entry.writeBigUInt64LE(BigInt(at), 0);
    entry.writeBigUInt64LE(text === undefined ? 0n : 1n, 8);
    entry.writeBigUInt64LE(flag === undefined ? 0n : flags[flag], 16);
    return text === undefined ? [entry] : [entry, Buffer.alloc(sector, text)];
  });
  return Buffer.concat([head, ...entries]);
}

const requests: readonly Request[] = [
  { at: 0, text: 'a' },
  { flag: 'flush' },
  { at: 1, text: 'b' },
  { at: 2, text: 'c', flag: 'fua' },
  { at: 3, text: 'd' },
];

async function scene(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const [base, record, disk] = ['base', 'record', 'disk'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(base, Buffer.alloc(4 * sector, '.'));
  await writeFile(record, recordOf(requests));
  const sectors = async (): Promise<string> => {
    const bytes = await readFile(disk);
    return [0, 1, 2, 3].map((at) => bytes.toString('latin1', at * sector, at * sector + 1)).join('');
  };
  return { killed: { base, record, disk, deviceBytes: 4 * sector }, sectors };
}

test('a power cut takes writes that no flush and no FUA had made durable, and no others', async (t) => {
  const { killed, sectors } = await scene(t);
  t.deepEqual(await losePower(killed, () => 0), { writes: 4, unflushed: 2, lost: 2 });
  t.is(await sectors(), 'a.c.');
  t.deepEqual(await losePower(killed, () => 0.9), { writes: 4, unflushed: 2, lost: 0 });
  t.is(await sectors(), 'abcd');
  const numbers = [0, 0.9];
  await losePower(killed, () => numbers.shift() ?? 1);
  t.is(await sectors(), 'a.cd');
});

test('of a record that ends in the middle of a write nothing is taken away', async (t) => {
  const { killed, sectors } = await scene(t);
  await truncate(killed.record, recordOf(requests).length - 1);
  t.deepEqual(await losePower(killed, () => 0), { writes: 3, unflushed: 0, lost: 0 });
  t.is(await sectors(), 'abc.');
});

test('a record is followed while it grows', async (t) => {
  const { killed } = await scene(t);
  const whole = recordOf(requests);
  await writeFile(killed.record, '');
  await using follower = await RecordFollower.open(killed.record, killed.deviceBytes);
  t.is((await follower.read()).length, 0);
  await writeFile(killed.record, whole.subarray(0, 3 * sector));
  t.is((await follower.read()).length, 1);
  await writeFile(killed.record, whole);
  await follower.until((entries) => entries.length === requests.length, AbortSignal.timeout(5000));
  t.deepEqual(
    (await follower.read()).map(({ flush }) => flush),
    [false, true, false, false, false],
  );
});

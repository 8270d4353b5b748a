import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { RigError } from '../src/index.ts';
import { CrashImages, crashStates, type RecordEntry, WriteRecord } from '../src/log-writes/index.ts';

const fixture = fileURLToPath(new URL('fixtures/dm-log-writes.bin', import.meta.url));
const deviceBytes = 1 << 20;
const sector = 512;

/** The fixture with some bytes replaced, in a file of the test's own. */
async function changed(t: ExecutionContext, change: (bytes: Buffer) => Buffer | void): Promise<string> {
  const bytes = await readFile(fixture);
  const path = join(await temporaryDirectory(t), 'record');
  await writeFile(path, change(bytes) ?? bytes);
  return path;
}

test('of a writer that was killed before its first flush nothing is known, and one that should be whole is refused', async (t) => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(3 * sector)]) {
    const path = await changed(t, () => bytes);
    await using record = await WriteRecord.open(path, { deviceBytes, mayBeTorn: true });
    t.deepEqual(record.entries, []);
    t.is(record.isTorn, bytes.length > 0);
    await t.throwsAsync(WriteRecord.open(path, { deviceBytes }), { code: 'ERR_RIG_RECORD' });
  }
});

test('a record of the kernel is read with its marks, flags and data', async (t) => {
  await using record = await WriteRecord.open(fixture, { deviceBytes });
  const short = record.entries.map(({ offset, length, flush, fua, discard, mark }) => [
    mark ?? [flush && 'flush', fua && 'fua', discard && 'discard'].filter(Boolean).join(' '),
    offset,
    length,
  ]);
  t.deepEqual(short, [
    ['flush', 0, 0],
    ['begin', 0, 0],
    ['', 1024, 512],
    ['', 3072, 1024],
    ['flush', 0, 0],
    ['fua', 4608, 512],
    ['flush', 0, 0],
    ['discard', 4096, 8192],
    ['', 0, 512],
    ['flush', 0, 0],
    ['end', 0, 0],
    ['dm-log-writes-end', 0, 0],
  ]);
  const texts = await Promise.all(
    record.entries.filter(({ length }) => length > 0).map((entry) => record.data(entry)),
  );
  t.deepEqual(
    texts.map((data) => [data.length, data.toString('latin1', 0, 4)]),
    [
      [512, 'one\n'],
      [1024, 'two\n'],
      [512, 'thre'],
      [8192, '\0\0\0\0'],
      [512, 'four'],
    ],
  );
});

test('entries between two marks leave the marks out, and unknown marks are a mistake', async (t) => {
  await using record = await WriteRecord.open(fixture, { deviceBytes });
  const between = record.between('begin', 'end');
  t.deepEqual([between[0]?.index, between.at(-1)?.index], [2, 9]);
  t.throws(() => record.between('end', 'begin'), { instanceOf: TypeError });
  t.throws(() => record.between('begin', 'nothing'), { instanceOf: TypeError });
});

const hostile: readonly [string, (bytes: Buffer) => Buffer | void, RegExp][] = [
  ['no magic', (b) => void b.fill(0, 0, 8), /no record of dm-log-writes/],
  ['an empty file', () => Buffer.alloc(0), /no record of dm-log-writes/],
  ['half a head', (b) => b.subarray(0, 20), /no record of dm-log-writes/],
  ['another version', (b) => void b.writeBigUInt64LE(2n, 8), /version 2/],
  ['no sector size', (b) => void b.writeUInt32LE(0, 24), /sectors of 0 bytes/],
  ['a sector size of 2 GiB', (b) => void b.writeUInt32LE(2 ** 31, 24), /sectors of 2147483648 bytes/],
  ['2^64 - 1 entries', (b) => void b.fill(0xff, 16, 24), /number of entries is 18446744073709551615/],
  [
    'more entries than sectors',
    (b) => void b.writeBigUInt64LE(1_000_000n, 16),
    /of 1000000 entries are there/,
  ],
  ['a cut end', (b) => b.subarray(0, b.length - sector), /11 of 12 entries are there/],
  ['data that was cut', (b) => b.subarray(0, 7 * sector), /entry 3 has less data than it says/],
  ['a write beyond the device', (b) => void b.writeBigUInt64LE(2048n, 3 * sector), /entry 2 ends at/],
  ['a sector that overflows', (b) => void b.fill(0xff, 3 * sector, 3 * sector + 8), /sector of entry 2 is/],
  [
    'a length that overflows',
    (b) => void b.fill(0xff, 3 * sector + 8, 3 * sector + 16),
    /number of sectors of/,
  ],
  [
    'a length beyond the file',
    (b) => void b.writeBigUInt64LE(2000n, 3 * sector + 8),
    /less data than it says/,
  ],
  [
    'a mark longer than a sector',
    (b) => void b.writeBigUInt64LE(481n, 2 * sector + 24),
    /mark 1 has 481 bytes/,
  ],
  ['a mark with data', (b) => void b.writeBigUInt64LE(1n, 2 * sector + 8), /mark 1 has .* and 512 of data/],
];

for (const [what, change, message] of hostile) {
  test(`${what} is refused`, async (t) => {
    const path = await changed(t, change);
    const error = await t.throwsAsync(WriteRecord.open(path, { deviceBytes }), {
      instanceOf: RigError,
      message,
    });
    t.is(error?.code, 'ERR_RIG_RECORD');
  });
}

const write = (index: number, more: Partial<RecordEntry> = {}): RecordEntry => ({
  index,
  offset: index * sector,
  length: sector,
  flush: false,
  fua: false,
  discard: false,
  ...more,
});

test('crash states are every prefix, and every subset of the writes between two flushes', (t) => {
  const entries = [write(4), write(5), write(6), write(7, { length: 0, flush: true }), write(8)];
  const states = crashStates(entries).map(({ durable, also }) => [durable, ...also]);
  t.deepEqual(states, [[4], [4, 5], [4, 6], [4, 4, 6], [4, 5, 6], [5], [6], [7], [9]]);
});

test('of many writes between two flushes two or more are lost, too, and each alone', (t) => {
  const states = crashStates(Array.from({ length: 12 }, (_, index) => write(index)));
  const reordered = states.filter(({ also }) => also.length > 0).map(({ also }) => also.length);
  t.true(reordered.filter((count) => count === 1).length >= 11);
  t.true(reordered.filter((count) => count === 11).length >= 10);
  t.true(reordered.filter((count) => count > 1 && count < 11).length >= 30);
});

test('a write that a later one covers makes no state of its own', (t) => {
  const entries = [write(0, { offset: 0 }), write(1, { offset: 0 }), write(2, { offset: 0 })];
  t.deepEqual(
    crashStates(entries).map(({ durable, also }) => [durable, ...also]),
    [[0], [1], [2], [3]],
  );
});

test('a write with FUA is in every state that has something later', (t) => {
  const entries = [write(0), write(1, { fua: true }), write(2)];
  const later = crashStates(entries).filter(({ durable, also }) => durable > 2 || also.includes(2));
  t.true(later.every(({ durable, also }) => durable > 1 || also.includes(1)));
});

test('a write that flushes first begins a new span', (t) => {
  const states = crashStates([write(0), write(1, { flush: true })]);
  t.deepEqual(
    states.map(({ durable, also }) => [durable, ...also]),
    [[0], [1], [2]],
  );
});

/** The beginning of what the record writes, place by place. */
const glimpse = (image: Buffer): string =>
  [0, 1024, 3072, 4096, 4608].map((offset) => image.toString('latin1', offset, offset + 3)).join();

test('images hold what each state says, and a check that writes to one does not disturb the next', async (t) => {
  const directory = await temporaryDirectory(t);
  const base = join(directory, 'base');
  await writeFile(base, Buffer.alloc(deviceBytes, 'x'));
  await using record = await WriteRecord.open(fixture, { deviceBytes });
  await using images = await CrashImages.open(record, { base, working: join(directory, 'working') });
  const path = join(directory, 'image');
  const seen: string[] = [];
  for (const state of crashStates(record.between('begin', 'end'))) {
    await images.build(state, path);
    const image = await readFile(path);
    t.is(image.length, deviceBytes);
    seen.push(glimpse(image));
    await writeFile(path, 'spoiled');
  }
  t.deepEqual(seen, [
    'xxx,xxx,xxx,xxx,xxx',
    'xxx,xxx,two,xxx,xxx',
    'xxx,one,xxx,xxx,xxx',
    'xxx,one,two,xxx,xxx',
    'xxx,one,two,xxx,thr',
    'fou,one,two,xxx,thr',
    'xxx,one,two,\0\0\0,\0\0\0',
    'fou,one,two,\0\0\0,\0\0\0',
  ]);
});

import { createHash } from 'node:crypto';

import test from 'ava';

import {
  copyOffsets,
  encodeMeta,
  isTornMeta,
  MetaError,
  type MetaRecord,
  metaSizeBytes,
  type MetaValues,
  readMeta,
  writeMeta,
} from '../src/index.ts';

const sector = 512;

const values = (text: string, size: number): MetaValues =>
  new Map([
    [9, Buffer.from(text)],
    [15, Buffer.alloc(size, text)],
  ]);

const shown = (record: MetaRecord): string =>
  JSON.stringify([...record.values].map(([tag, value]) => [tag, Buffer.from(value).toString()]));

const none = JSON.stringify([]);

/** Small numbers that look random and are the same in every run. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

test('what was written is read back, the newest wins, and a removed tag is gone', (t) => {
  const disk = Buffer.alloc(metaSizeBytes);
  let record = readMeta(disk);
  t.is(record.sequence, 0n);
  for (const next of [values('a', 3000), values('b', 10), new Map([[15, Buffer.from('uuid')]])]) {
    for (const write of writeMeta(record, next)) write.bytes.copy(disk, write.offset);
    record = readMeta(disk);
    t.is(shown(record), JSON.stringify([...next].map(([tag, value]) => [tag, value.toString()])));
  }
});

test('after every set of sectors that a power cut lets through, the old or the new values are read', (t) => {
  const numbers = random(0x5eed);
  const disk = Buffer.alloc(metaSizeBytes);
  let record = readMeta(disk);
  let cuts = 0;
  const history = [
    values('first', 2500),
    values('second', 6000),
    values('third', 20),
    values('fourth', 4100),
  ];
  for (const next of history) {
    const before = shown(record);
    for (const write of writeMeta(record, next)) {
      const sectors = Math.ceil(write.bytes.length / sector);
      const masks = Array.from({ length: 40 }, () => numbers.next().value);
      const prefixes = Array.from({ length: sectors + 1 }, (_, count) => 2 ** count - 1);
      for (const mask of [...prefixes, ...masks]) {
        const torn = Buffer.from(disk);
        for (let index = 0; index < sectors; index += 1) {
          if (((mask >>> index) & 1) === 0) continue;
          write.bytes.copy(torn, write.offset + index * sector, index * sector, (index + 1) * sector);
        }
        t.true([before, none, shown({ ...record, values: next })].includes(shown(readMeta(torn))));
        if (record.sequence > 0n) t.not(shown(readMeta(torn)), none);
        cuts += 1;
      }
      write.bytes.copy(disk, write.offset);
    }
    record = readMeta(disk);
    t.is(shown(record), shown({ ...record, values: next }));
  }
  t.log(`${cuts} cuts`);
});

test('after a torn write the next write repairs, and never touches the current copy', (t) => {
  const disk = Buffer.alloc(metaSizeBytes);
  for (const write of writeMeta(readMeta(disk), values('good', 100))) write.bytes.copy(disk, write.offset);
  const [write] = writeMeta(readMeta(disk), values('torn', 5000));
  t.truthy(write);
  write?.bytes.copy(disk, write.offset, 0, 1024);
  const current = readMeta(disk);
  const [again] = writeMeta(current, values('next', 200));
  t.is(again?.offset, write?.offset);
  again?.bytes.copy(disk, again.offset);
  t.is(shown(readMeta(disk)), shown({ ...current, values: values('next', 200) }));
});

test('a partition that holds something else is not taken for a blank one', (t) => {
  const disk = Buffer.alloc(metaSizeBytes);
  disk.write('somebody else', 4096);
  t.throws(() => readMeta(disk), { code: 'ERR_META_DAMAGED' });
});

test('values that do not fit are refused before anything is written', (t) => {
  const blank = readMeta(Buffer.alloc(metaSizeBytes));
  t.throws(() => writeMeta(blank, new Map([[1, Buffer.alloc(metaSizeBytes)]])), {
    code: 'ERR_META_TOO_LARGE',
  });
});

test('an image with values is read as a record, and without values it is a blank partition', (t) => {
  const disk = Buffer.alloc(metaSizeBytes);
  t.deepEqual(encodeMeta(new Map()), []);
  const [write, ...others] = encodeMeta(values('image', 3000));
  t.deepEqual(others, []);
  write?.bytes.copy(disk, write.offset);
  const record = readMeta(disk);
  t.is(shown(record), shown({ ...record, values: values('image', 3000) }));
  for (const next of writeMeta(record, values('node', 20))) next.bytes.copy(disk, next.offset);
  t.is(shown(readMeta(disk)), shown({ ...record, values: values('node', 20) })); // the node goes on from it
});

test('a tag that no value can have is refused', (t) => {
  for (const tag of [-1, 0.5, 0x10000, Number.NaN]) {
    t.throws(() => encodeMeta(new Map([[tag, Buffer.alloc(1)]])), { code: 'ERR_META_TAG' });
  }
});

/** A copy with a digest that fits, whatever is in it. */
function forged(payload: Buffer, sequence: bigint, length = payload.length): Buffer {
  const header = Buffer.alloc(64);
  header.write('nodecore META 1\n', 'latin1');
  header.writeBigUInt64LE(sequence, 16);
  header.writeUInt32LE(length, 24);
  createHash('sha256').update(header.subarray(0, 32)).update(payload).digest().copy(header, 32);
  return Buffer.concat([header, payload]);
}

function value(length: number, size = length): Buffer {
  const bytes = Buffer.alloc(6 + size);
  bytes.writeUInt16LE(9, 0);
  bytes.writeUInt32LE(length, 2);
  return bytes;
}

test('a forged copy is as good as none, and leaves the other one', (t) => {
  for (const copy of [
    forged(value(5, 4), 7n), // a value that leads out of the record
    forged(value(0xffffffff, 4), 7n),
    forged(value(4).subarray(0, 3), 7n), // half a head
    forged(value(4), 0n),
    forged(value(4), 2n ** 64n - 1n), // no next one
    forged(value(4), 7n, 0xffffffff),
  ]) {
    const disk = Buffer.alloc(metaSizeBytes);
    copy.copy(disk, copyOffsets[1]);
    t.throws(() => readMeta(disk), { instanceOf: MetaError, code: 'ERR_META_DAMAGED' });
    for (const write of encodeMeta(values('good', 10))) write.bytes.copy(disk, write.offset);
    const record = readMeta(disk);
    t.is(record.copy, 0);
    t.notThrows(() => writeMeta(record, values('next', 10)));
  }
});

test('random damage ends in values that were written or in ERR_META_DAMAGED', (t) => {
  const numbers = random(0xf0221);
  const disk = Buffer.alloc(metaSizeBytes);
  for (const next of [values('a', 300), values('b', 900)]) {
    for (const write of writeMeta(readMeta(disk), next)) write.bytes.copy(disk, write.offset);
  }
  const record = readMeta(disk);
  const known = new Set([shown(record), shown({ ...record, values: values('a', 300) })]);
  const damaged = Buffer.from(disk);
  for (let round = 0; round < 300; round++) {
    for (const offset of copyOffsets) disk.copy(damaged, offset, offset, offset + 2048);
    for (let flips = numbers.next().value % 6; flips >= 0; flips--) {
      const offset = copyOffsets[numbers.next().value % 2 === 0 ? 0 : 1];
      damaged.writeUInt8(numbers.next().value >>> 24, offset + ((numbers.next().value >>> 8) % 1100));
    }
    try {
      t.true(known.has(shown(readMeta(damaged))));
    } catch (error) {
      t.is((error as MetaError).code, 'ERR_META_DAMAGED');
    }
  }
});

test('of 100 000 hostile partitions none is read as anything that nobody wrote, and none throws anything else', (t) => {
  const numbers = random(0x5eed);
  const next = (limit: number): number => (numbers.next().value >>> 8) % limit; // its low bits repeat themselves
  const counts = { whole: 0, damaged: 0 };
  const other = forged(value(3), 4n);
  for (let round = 0; round < 100_000; round++) {
    // Digests fit, so that what is behind them is looked at; lengths, tags, sizes and sequences are anything.
    const parts = Array.from({ length: next(4) }, () => {
      const part = value(next(12));
      part.writeUInt16LE(next(0x10000), 0);
      return next(8) === 0 ? part.subarray(0, next(part.length)) : part;
    });
    const payload = Buffer.concat(parts);
    const length = next(4) === 0 ? numbers.next().value : payload.length;
    const copy = forged(payload, BigInt(next(2)) << BigInt(next(64)), length);
    if (next(3) === 0) copy.writeUInt8(next(256), next(copy.length));
    const partition = next(2) === 0 ? copy : copy.subarray(0, next(copy.length) + 1);
    try {
      const { values: read, sequence } = readMeta(partition);
      if (sequence < 0n || sequence >= 2n ** 63n) t.fail(`sequence ${sequence}`);
      let size = 0;
      for (const [tag, bytes] of read) {
        if (tag < 0 || tag > 0xffff) t.fail(`tag ${tag}`);
        size += 6 + bytes.length;
      }
      if (size > payload.length) t.fail(`${size} bytes of values in ${payload.length}`);
      counts.whole += 1;
    } catch (error) {
      if (!(error instanceof MetaError) || error.code !== 'ERR_META_DAMAGED') throw error;
      counts.damaged += 1;
    }
  }
  t.true(counts.whole > 1000 && counts.damaged > 1000, JSON.stringify(counts));
  t.is(readMeta(other).sequence, 4n);
});

test('what we have begun to write is told apart from what another system has there', (t) => {
  const disk = Buffer.alloc(metaSizeBytes);
  for (const write of writeMeta(readMeta(disk), values('a', 3000))) write.bytes.copy(disk, write.offset);
  for (const offset of copyOffsets) disk.fill(0xff, offset + 40, offset + 80);
  t.throws(() => readMeta(disk), { code: 'ERR_META_DAMAGED' });
  t.true(isTornMeta(disk));
  t.false(isTornMeta(Buffer.alloc(metaSizeBytes, 0x5a)));
  t.false(isTornMeta(Buffer.alloc(3)));
});

test('a partition that is cut short does not throw anything else', (t) => {
  for (const size of [0, 1, 63, 64, 511, 512 * 1024 + 10]) {
    t.is(readMeta(Buffer.alloc(size)).sequence, 0n);
    t.throws(() => readMeta(Buffer.alloc(Math.max(size, 1), 1)), { code: 'ERR_META_DAMAGED' });
  }
});

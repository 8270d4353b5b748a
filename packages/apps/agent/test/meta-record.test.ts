import test from 'ava';

import {
  type MetaRecord,
  metaSizeBytes,
  type MetaValues,
  readMeta,
  writeMeta,
} from '../src/persistence/meta-record.ts';

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
  t.throws(() => readMeta(disk), { code: 'ERR_STATE_DAMAGED' });
});

test('values that do not fit are refused before anything is written', (t) => {
  const blank = readMeta(Buffer.alloc(metaSizeBytes));
  t.throws(() => writeMeta(blank, new Map([[1, Buffer.alloc(metaSizeBytes)]])), {
    code: 'ERR_STATE_TOO_LARGE',
  });
});

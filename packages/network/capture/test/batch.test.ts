import test from 'ava';

import { Batch } from '../src/batch.ts';
import { pcapngPackets } from '../src/formats/pcapng-packets.ts';

const sizes = [40, 51, 60];

/** Packets of these sizes, the second one cut. */
function records(): Uint8Array {
  const each = sizes.map((size, index) => {
    const record = Buffer.alloc(16 + size, index + 1);
    record.writeUInt32LE(1_763_800_000 + index, 0);
    record.writeUInt32LE(999_999_999 - index, 4);
    record.writeUInt32LE(size, 8);
    record.writeUInt32LE(index === 1 ? 1500 : size, 12);
    return record;
  });
  return new Uint8Array(Buffer.concat(each));
}

const batches = {
  pcap: new Batch(records(), sizes.length, 2),
  pcapng: new Batch(pcapngPackets(records(), 2), sizes.length, 2, { format: 'pcapng' }),
} as const;

test('packets of a batch are the same in both formats', (t) => {
  const packets = [...batches.pcap];
  t.deepEqual(
    packets.map(({ time, originalBytes, data }) => [time, originalBytes, data.length, data[0]]),
    [
      [1_763_800_000_999_999_999n, 40, 40, 1],
      [1_763_800_001_999_999_998n, 1500, 51, 2],
      [1_763_800_002_999_999_997n, 60, 60, 3],
    ],
  );
  t.deepEqual([...batches.pcapng], packets);
});

test('a part of a batch has whole records and counts what was cut in it', (t) => {
  for (const [format, batch] of Object.entries(batches)) {
    t.is(batch.truncated, 1, format);
    t.like(batch.first(1), { packets: 1, truncated: 0, interface: 2, format });
    t.like(batch.first(2), { packets: 2, truncated: 1 });
    t.is(batch.first(3), batch);
    const two = batch.first(2).bytes.length;
    t.like(batch.fitting(two), { packets: 2, truncated: 1 });
    t.like(batch.fitting(two - 1), { packets: 1, truncated: 0 });
    t.like(batch.fitting(0), { packets: 0, truncated: 0 });
    t.is(batch.fitting(batch.bytes.length), batch);
    t.deepEqual([...batch.fitting(two)], [...batch].slice(0, 2));
  }
});

test('what was counted already is not counted again', (t) => {
  t.is(new Batch(records(), sizes.length, 0, { truncated: 7 }).copy().truncated, 7);
});

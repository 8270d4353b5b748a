import test from 'ava';

import { SnapshotResponse } from '../gen/etcdserverpb.js';
import { ProgressMeter, type SnapshotProgress } from '../src/snapshot/progress.ts';
import { SnapshotFrames } from '../src/snapshot/frames.ts';

/** As gRPC sends a message. */
function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function read(chunks: Iterable<Uint8Array>): { content: Buffer; totals: bigint[]; isWhole: boolean } {
  const pieces: Uint8Array[] = [];
  const totals: bigint[] = [];
  const frames = new SnapshotFrames({
    total: (bytes) => totals.push(bytes),
    piece: (bytes) => pieces.push(bytes),
  });
  for (const chunk of chunks) frames.take(chunk);
  return { content: Buffer.concat(pieces), totals, isWhole: frames.isWhole };
}

test('the content of messages comes out the same however the stream is cut', (t) => {
  const blobs = [Buffer.alloc(300, 'a'), Buffer.alloc(0), Buffer.alloc(70_000, 'b'), Buffer.from('digest')];
  const header = { clusterId: 2n ** 63n, memberId: 5n, revision: 7n, raftTerm: 3n };
  const stream = Buffer.concat(
    blobs.map((blob, index) =>
      framed(
        SnapshotResponse.encode({
          header,
          remainingBytes: index === 0 ? 70_000n : 0n,
          blob,
          version: '3.6.0',
        }),
      ),
    ),
  );
  for (const size of [1, 2, 7, 4096, 16_384, stream.length]) {
    const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
      stream.subarray(index * size, (index + 1) * size),
    );
    const { content, totals, isWhole } = read(chunks);
    t.true(content.equals(Buffer.concat(blobs)), `in pieces of ${size}`);
    t.deepEqual(totals, [70_300n]);
    t.true(isWhole);
  }
  t.false(read([stream.subarray(0, -1)]).isWhole);
  t.false(read([stream.subarray(0, 3)]).isWhole);
});

test('what is no message of a snapshot is refused', (t) => {
  const refused = (bytes: readonly number[], words: RegExp): void => {
    t.throws(() => read([Buffer.from(bytes)]), { instanceOf: RangeError, message: words });
  };
  refused([1], /compressed/);
  refused([0, 0, 0, 0, 2, 0x1a, 5], /longer than its message/);
  refused([0, 0, 0, 0, 1, 0x1a], /without a value/);
  refused([0, 0, 0, 0, 2, 0x1d, 0], /wire type 5/);
  refused([0, 0, 0, 0, 12, 0x10, ...Array.from({ length: 11 }, () => 0xff)], /no end/);
});

test('progress has a rate and a time that is left', (t) => {
  let nowMs = 0;
  const reports: SnapshotProgress[] = [];
  const meter = new ProgressMeter(
    (progress) => reports.push(progress),
    () => nowMs,
  );
  meter.total(10_000n);
  for (let step = 0; step < 8; step += 1) {
    nowMs += 50;
    meter.add(1_000);
  }
  t.is(reports.length, 4);
  const last = reports.at(-1);
  t.is(last?.bytes, 8_000n);
  t.is(Math.round(last?.bytesPerSecond ?? 0), 20_000);
  t.true(Math.abs((last?.remainingSeconds ?? 0) - 0.1) < 0.001);
  meter.add(2_000);
  meter.end();
  t.is(reports.at(-1)?.remainingSeconds, 0);
});

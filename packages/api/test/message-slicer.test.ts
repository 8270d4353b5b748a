import test from 'ava';

import { MessageFault, MessageSlicer } from '../src/client/message-slicer.ts';
import { KvstoreSnapshotResponse, type KvstoreSnapshotResponseInit } from '../src/index.ts';

/** As gRPC frames it. */
function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** What is found in the bytes when they come cut in pieces of that length. */
function sliced(
  bytes: Buffer,
  length: number,
): { data: string; rest: KvstoreSnapshotResponse[]; isWhole: boolean } {
  let data = '';
  const rest: KvstoreSnapshotResponse[] = [];
  const slicer = new MessageSlicer(1, {
    bytes: (piece) => {
      data += piece.toString();
    },
    rest: (message) => rest.push(KvstoreSnapshotResponse.decode(message)),
  });
  for (let at = 0; at < bytes.length; at += length) slicer.feed(bytes.subarray(at, at + length));
  return { data, rest, isWhole: slicer.isWhole };
}

const messages: readonly KvstoreSnapshotResponseInit[] = [
  { totalBytes: 0x1_2345_6789n },
  { data: Buffer.from('x'.repeat(300)) },
  {},
  { data: Buffer.from('both'), totalBytes: 7n },
  { report: { sha256: 'ab'.repeat(32), hash: 0xffff_ffff, revision: 1n << 60n, totalKeys: 200n } },
];
const stream = Buffer.concat(messages.map((each) => framed(KvstoreSnapshotResponse.encode(each))));

test('bytes and what is beside them are the same wherever a stream is cut', (t) => {
  const none = new Uint8Array();
  for (const length of [1, 2, 3, 5, 7, 64, stream.length]) {
    const { data, rest, isWhole } = sliced(stream, length);
    t.is(data, `${'x'.repeat(300)}both`);
    t.deepEqual(
      rest.map((each) => ({ ...each, data: none })),
      [messages[0], messages[3], messages[4]].map((each) => ({
        ...KvstoreSnapshotResponse.decode(KvstoreSnapshotResponse.encode(each ?? {})),
        data: none,
      })),
    );
    t.true(isWhole);
  }
});

test('a stream that ends within a message is not whole', (t) => {
  const ends = new Set<number>([0]);
  let end = 0;
  for (const each of messages) ends.add((end += framed(KvstoreSnapshotResponse.encode(each)).length));
  for (let cut = 0; cut <= stream.length; cut += 1) {
    if (cut > 0) t.is(sliced(stream.subarray(0, cut), 50).isWhole, ends.has(cut), `after ${cut} bytes`);
  }
});

const hostile: Readonly<Record<string, readonly number[]>> = {
  'compressed, which nobody asked for': [1, 0, 0, 0, 1, 8],
  'a field of a type that it does not have': [0, 0, 0, 0, 2, 0x08, 1],
  'a field of a type that no field has': [0, 0, 0, 0, 2, 0x13, 1],
  'a field is longer than its message': [0, 0, 0, 0, 3, 0x0a, 9, 0],
  'a field without a value': [0, 0, 0, 0, 1, 0x0a],
  'a number has no end': [0, 0, 0, 0, 3, 0x10, 0x80, 0x80],
  'it is too long': [0, 0, 0xff, 0xff, 0xff, 0x1a, 0x80, 0x80, 0x7f],
};

for (const [why, bytes] of Object.entries(hostile)) {
  test(`what is no message is refused: ${why}`, (t) => {
    const long = Buffer.concat([Buffer.from(bytes), Buffer.alloc(why === 'it is too long' ? 2 << 20 : 0)]);
    const error = t.throws(() => sliced(long, 4096), { instanceOf: MessageFault });
    t.is(error.message, why);
  });
}

test('a length that has no end is refused, wherever the message says that it ends', (t) => {
  const length = Buffer.from([0, 0x7f, 0xff, 0xff, 0xff, 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
  t.throws(() => sliced(length, 1), { instanceOf: MessageFault, message: 'a number has no end' });
});

import { KvstoreService } from '@nodecore/api';
import { snapshotHeadroomBytes } from '@nodecore/kvstore';
import test from 'ava';

import { encodeSnapshot, releaseSent } from '../src/server/snapshot-wire.ts';

/** Some bytes with others in front of them, as `snapshotStream` gives them. */
function piece(bytes: number): Uint8Array {
  const buffer = Buffer.alloc(snapshotHeadroomBytes + bytes, 'x').buffer;
  return new Uint8Array(buffer, snapshotHeadroomBytes, bytes);
}

test('a piece of a snapshot is encoded where it is, and as protobuf does it', (t) => {
  const { responseSerialize } = KvstoreService.snapshot;
  for (const bytes of [1, 127, 128, 16_383, 16_384, 600_000]) {
    const data = piece(bytes);
    const expected = responseSerialize({ data });
    const encoded = encodeSnapshot({ data });
    t.true(encoded.equals(expected), `${bytes} bytes`);
    t.is(encoded.buffer, data.buffer);
  }
});

test('whatever else is sent of a snapshot is encoded as ever', (t) => {
  const { responseSerialize } = KvstoreService.snapshot;
  const answers = [
    { data: piece(300), totalBytes: 4_000n },
    { totalBytes: 4_000n },
    { data: Buffer.from('of somebody else') },
    { data: new Uint8Array() },
    {},
  ];
  for (const answer of answers) t.true(encodeSnapshot(answer).equals(responseSerialize(answer)));
});

test('the copy that is sent is given back at once, and nothing else is', (t) => {
  const response = { data: piece(100_000) };
  const encoded = encodeSnapshot(response);
  const beside = Buffer.allocUnsafeSlow(encoded.length + 20).subarray(10, 10 + encoded.length);
  encoded.copy(beside);
  releaseSent(response);
  t.true(beside.equals(encoded));

  const sent = Buffer.allocUnsafeSlow(encoded.length + 5);
  encoded.copy(sent, 5);
  t.true(sent.subarray(5).equals(encoded));
  releaseSent(response);
  t.is(sent.buffer.byteLength, 0);
  t.is(response.data.length, 100_000);
  releaseSent(response); // twice is fine
  releaseSent({ totalBytes: 1n });
});

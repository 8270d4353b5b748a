import { CaptureService } from '@nodecore/api/capture';
import { KvstoreService } from '@nodecore/api/kvstore';
import { batchHeadroomBytes } from '@nodecore/capture';
import { snapshotHeadroomBytes } from '@nodecore/kvstore';
import test from 'ava';

import { captureServiceInPlace, kvstoreServiceInPlace, releaseSent } from '../src/server/in-place.ts';

const encodeSnapshot = kvstoreServiceInPlace.snapshot.responseSerialize;
const encodeCapture = captureServiceInPlace.capture.responseSerialize;

/** Some bytes with others in front of them, as `snapshotStream` and batches of packets have them. */
function piece(bytes: number, headroomBytes = snapshotHeadroomBytes): Uint8Array {
  const buffer = Buffer.alloc(headroomBytes + bytes, 'x').buffer;
  return new Uint8Array(buffer, headroomBytes, bytes);
}

const sizes = [1, 127, 128, 16_383, 16_384, 600_000];

test('a piece of a snapshot is encoded where it is, and as protobuf does it', (t) => {
  const { responseSerialize } = KvstoreService.snapshot;
  for (const bytes of sizes) {
    const data = piece(bytes);
    const expected = responseSerialize({ data });
    const encoded = encodeSnapshot({ data });
    t.true(encoded.equals(expected), `${bytes} bytes`);
    t.is(encoded.buffer, data.buffer);
  }
});

test('so is a batch of packets', (t) => {
  const { responseSerialize } = CaptureService.capture;
  for (const bytes of sizes) {
    const data = piece(bytes, batchHeadroomBytes);
    const expected = responseSerialize({ data });
    const encoded = encodeCapture({ data });
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

test('and of a capture', (t) => {
  const { responseSerialize } = CaptureService.capture;
  const answers = [
    { start: { id: 'a', header: Buffer.from('header') } },
    { progress: { seen: 3n } },
    { report: { counts: { seen: 3n }, trailer: piece(300, batchHeadroomBytes) } },
    { data: piece(300, batchHeadroomBytes), progress: { seen: 3n } },
    { data: new Uint8Array() },
  ];
  for (const answer of answers) t.true(encodeCapture(answer).equals(responseSerialize(answer)));
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

import { randomBytes, randomFillSync } from 'node:crypto';

import test from 'ava';

import { blobBytes, headerOf, parseBlob } from '../src/server/blob.ts';

const keyId = '00112233445566ff';

test('a blob has its header in clear', (t) => {
  const header = headerOf(keyId, true);
  t.is(header.toString('latin1', 0, 4), 'NCKM');
  const body = randomBytes(blobBytes - header.byteLength);
  const blob = parseBlob(Buffer.concat([header, body]));
  t.like(blob, { keyId, boundToVolume: true });
  t.deepEqual(Buffer.concat([blob!.nonce, blob!.ciphertext, blob!.tag]), body);
  t.deepEqual([blob!.nonce.length, blob!.ciphertext.length, blob!.tag.length], [12, 32, 16]);
  t.is(blobBytes, 74);
});

test('a blob may be a view into something larger', (t) => {
  const whole = Buffer.concat([randomBytes(7), headerOf(keyId, false), randomBytes(60), randomBytes(7)]);
  t.like(parseBlob(new Uint8Array(whole.buffer, whole.byteOffset + 7, 74)), { keyId, boundToVolume: false });
});

const good = Buffer.concat([headerOf(keyId, false), randomBytes(60)]);

for (const [what, data] of [
  ['nothing', Buffer.alloc(0)],
  ['a byte less', good.subarray(1)],
  ['a byte more', Buffer.concat([good, Buffer.alloc(1)])],
  ['60 bytes of another server', randomBytes(60)],
  ['another magic', Buffer.concat([Buffer.from('NCKN'), good.subarray(4)])],
  ['another version', Buffer.concat([good.subarray(0, 4), Buffer.from([2]), good.subarray(5)])],
  ['an unknown flag', Buffer.concat([good.subarray(0, 5), Buffer.from([2]), good.subarray(6)])],
] as const) {
  test(`${what} is no blob`, (t) => {
    t.is(parseBlob(data), undefined);
  });
}

test('a million inputs, none of which is trouble', (t) => {
  const started = performance.now();
  const pool = randomBytes(1 << 16);
  let seen = 0;
  for (let index = 0; index < 1_000_000; index += 1) {
    if (index % 10_000 === 0) randomFillSync(pool);
    // Lengths around the right one, and every byte of a good one changed in turn.
    const size = index % 2 === 0 ? blobBytes : index % 150;
    const input = Buffer.from(pool.subarray((index * 31) % 60_000, ((index * 31) % 60_000) + size));
    if (index % 4 === 0) good.copy(input, 0, 0, index % (blobBytes + 1));
    const blob = parseBlob(input);
    if (blob === undefined) continue;
    seen += 1;
    if (!/^[0-9a-f]{16}$/.test(blob.keyId) || blob.tag.length !== 16 || blob.nonce.length !== 12) t.fail();
  }
  t.true(seen > 1_000);
  t.true(performance.now() - started < 15_000);
});

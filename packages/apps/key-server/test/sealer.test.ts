import { randomBytes } from 'node:crypto';

import { Secret } from '@nodecore/sys';
import test from 'ava';

import { KeyRing } from '../src/index.ts';
import { parseBlob } from '../src/server/blob.ts';
import { sealFor, type Subject, unsealFor } from '../src/server/sealer.ts';

const ring = KeyRing.create(0);
const node = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
const subject: Subject = { node, volume: 'u-data' };
const anyVolume: Subject = { node, volume: '' };
const key = Secret.random(32);

function opened(blob: Buffer, by: Subject, material: Secret = ring.active.material): Secret | undefined {
  return unsealFor(material, by, parseBlob(blob)!);
}

test('what is sealed for a node opens for it', (t) => {
  const blob = sealFor(ring, subject, key.bytes);
  t.is(blob.byteLength, 74);
  t.true(opened(blob, subject)?.equals(key));
});

test('it does not open for another node', (t) => {
  const blob = sealFor(ring, subject, key.bytes);
  t.is(opened(blob, { ...subject, node: node.replace('0d', '0e') }), undefined);
});

test('it does not open with another ring key', (t) => {
  using other = Secret.random(32);
  t.is(opened(sealFor(ring, subject, key.bytes), subject, other), undefined);
});

test('what is sealed for a volume opens only for it', (t) => {
  const blob = sealFor(ring, subject, key.bytes);
  t.is(opened(blob, { node, volume: 'u-data2' }), undefined);
  t.is(opened(blob, anyVolume), undefined);
});

test('what was sealed without a volume opens for any, so that older clients may be replaced', (t) => {
  const blob = sealFor(ring, anyVolume, key.bytes);
  t.true(opened(blob, anyVolume)?.equals(key));
  t.true(opened(blob, subject)?.equals(key));
});

test('a blob with any bit changed does not open', (t) => {
  const blob = sealFor(ring, subject, key.bytes);
  for (let bit = 0; bit < blob.byteLength * 8; bit += 1) {
    const changed = Buffer.from(blob);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    const parsed = parseBlob(changed);
    if (parsed !== undefined) t.is(unsealFor(ring.active.material, subject, parsed), undefined, `bit ${bit}`);
  }
});

test('sealing twice gives nothing in common behind the header', (t) => {
  const [one, two] = [sealFor(ring, subject, key.bytes), sealFor(ring, subject, key.bytes)];
  t.deepEqual(one.subarray(0, 14), two.subarray(0, 14));
  t.notDeepEqual(one.subarray(14, 26), two.subarray(14, 26));
  t.notDeepEqual(one.subarray(26), two.subarray(26));
});

test('the bytes of another blob open nothing', (t) => {
  const blob = Buffer.concat([sealFor(ring, subject, key.bytes).subarray(0, 14), randomBytes(60)]);
  t.is(opened(blob, subject), undefined);
});

import { createHash, randomBytes } from 'node:crypto';

import test from 'ava';

import { KeyRing, KeyServerError } from '../src/index.ts';
import { formatRing, maxRingBytes, parseRing } from '../src/ring/ring-text.ts';

function text(ring: KeyRing): string {
  using bytes = formatRing(ring);
  return bytes.bytes.toString('latin1');
}

/** With a sum that is right, so that the rest is looked at. */
function summed(lines: string): Buffer {
  return Buffer.from(`${lines}sum ${createHash('sha256').update(lines).digest('hex')}\n`);
}

const id = '00112233445566ff';
const hex = randomBytes(32).toString('hex');
const line = `key ${id} active 1700000000 ${hex}\n`;
const title = 'nodecore-kms-ring 1\n';

test('a ring is read as it was written', (t) => {
  using ring = KeyRing.create(1_700_000_000_500);
  const { id: first } = ring.active;
  ring.rotate(1_800_000_000_000);
  ring.retire(first);
  using again = parseRing(Buffer.from(text(ring)), 'ring');
  t.deepEqual(
    again.keys.map(({ id, state, createdSeconds }) => [id, state, createdSeconds]),
    ring.keys.map(({ id, state, createdSeconds }) => [id, state, createdSeconds]),
  );
  t.is(again.keys[0]?.state, 'retired');
  t.is(again.keys[0]?.createdSeconds, 1_700_000_000);
  for (const [index, { material }] of again.keys.entries())
    t.true(ring.keys[index]?.material.equals(material));
  t.is(text(again), text(ring));
});

test('a full ring is written and read, and takes no more', (t) => {
  using ring = KeyRing.create(0);
  while (ring.keys.length < 256) ring.rotate(9_999_999_999_000);
  using again = parseRing(Buffer.from(text(ring)), 'ring');
  t.is(again.keys.length, 256);
  t.throws(() => ring.rotate(0), { code: 'ERR_KMS_RING_KEY' });
});

const hostile: Record<string, Buffer> = {
  'an empty file': Buffer.alloc(0),
  'another file': Buffer.from('root:x:0:0:root:/root:/bin/sh\n'),
  'a title alone': Buffer.from(title),
  'a ring of another version': summed(`nodecore-kms-ring 2\n${line}`),
  'a ring without keys': summed(title),
  'a ring without an active key': summed(title + line.replace('active', 'previous')),
  'a ring with two active keys': summed(title + line + line.replace(id, id.replace('f', 'e'))),
  'a ring with an id twice': summed(title + line + line.replace('active', 'retired')),
  'an unknown state': summed(title + line + line.replace('active', 'revoked')),
  'a key that is too short': summed(title + line.replace(hex, hex.slice(2))),
  'a key that is too long': summed(title + line.replace(hex, `${hex}00`)),
  'a key in capitals': summed(title + line.replace(hex, 'AB'.repeat(32))),
  'a key with other letters': summed(title + line.replace(hex, 'gg'.repeat(32))),
  'an id that is too short': summed(title + line.replace(id, id.slice(1))),
  'a time that is none': summed(title + line.replace('1700000000', '-1')),
  'a line too many': summed(`${title}${line}\n`),
  'an unknown line': summed(`${title}${line}note 1\n`),
  'a line end of another system': summed(title + line.replace('\n', '\r\n')),
  'a file without end': Buffer.concat([Buffer.from(title), Buffer.alloc(maxRingBytes)]),
  zeros: Buffer.alloc(300),
};

for (const [what, bytes] of Object.entries(hostile)) {
  test(`${what} is no ring, and its bytes are not repeated`, (t) => {
    const error = t.throws(() => parseRing(bytes, '/ring'), { instanceOf: KeyServerError });
    t.is(error.code, 'ERR_KMS_RING_DAMAGED');
    t.true(error.message.startsWith('/ring: '));
    t.false(error.message.includes(hex));
  });
}

test('the file above is one when nothing is wrong with it', (t) => {
  using ring = parseRing(summed(title + line), 'ring');
  t.is(ring.active.id, id);
});

test('a ring that was cut anywhere, or has any byte changed, is refused', (t) => {
  const bytes = summed(title + line);
  for (let at = 0; at < bytes.byteLength; at += 1) {
    t.throws(() => parseRing(bytes.subarray(0, at), 'ring'), { code: 'ERR_KMS_RING_DAMAGED' });
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    t.throws(() => parseRing(changed, 'ring'), { code: 'ERR_KMS_RING_DAMAGED' });
  }
});

test('random files are refused without trouble', (t) => {
  for (let round = 0; round < 20_000; round += 1) {
    const lines = `${title}${randomBytes(round % 200).toString('latin1')}\n`;
    t.throws(() => parseRing(summed(lines), 'ring'), { instanceOf: KeyServerError });
  }
});

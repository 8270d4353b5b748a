import { inspect } from 'node:util';

import test from 'ava';

import { Secret } from '@nodecore/sys';

const text = 'correct horse battery staple';

test('a secret never prints its bytes', (t) => {
  using secret = Secret.copy(Buffer.from(text));
  const printed = [String(secret), JSON.stringify({ secret }), inspect({ secret }, { depth: 9 })];
  for (const line of printed) {
    t.true(line.includes('[secret]'), line);
    t.false(line.includes('correct'), line);
    t.false(line.includes('63 6f 72'), line);
  }
});

test('disposing overwrites the bytes and ends their use', (t) => {
  const secret = Secret.copy(Buffer.from(text));
  const bytes = secret.bytes;
  secret[Symbol.dispose]();
  t.true(bytes.every((byte) => byte === 0));
  t.throws(() => secret.bytes, { instanceOf: TypeError });
  t.notThrows(() => secret[Symbol.dispose]());
});

test('take moves the bytes and wipes the source', (t) => {
  const source = Buffer.from(text);
  using secret = Secret.take(source);
  t.is(secret.bytes.toString(), text);
  t.true(source.every((byte) => byte === 0));
});

test('a clone survives its original', (t) => {
  const original = Secret.copy(Buffer.from(text));
  using clone = original.clone();
  original[Symbol.dispose]();
  t.is(clone.bytes.toString(), text);
});

test('equal compares content and length', (t) => {
  using a = Secret.copy(Buffer.from('abc'));
  using b = Secret.copy(Buffer.from('abc'));
  using c = Secret.copy(Buffer.from('abcd'));
  t.true(a.equals(b));
  t.false(a.equals(c));
});

import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

import test from 'ava';

import { findSecrets } from './secret-forms.ts';

const bytes = randomBytes(32);
const planted = [{ name: 'key', bytes }];
const around = (text: string | Buffer): Buffer =>
  Buffer.concat([randomBytes(100), Buffer.from(text), randomBytes(100)]);

const disguises: readonly [string, string | Buffer][] = [
  ['raw bytes', bytes],
  ['hexadecimal', bytes.toString('hex')],
  ['hexadecimal in capitals', bytes.toString('hex').toUpperCase()],
  ['base64', bytes.toString('base64')],
  ['base64 with something behind', Buffer.concat([bytes, randomBytes(5)]).toString('base64')],
  ['base64 for addresses', bytes.toString('base64url')],
  ['UTF-16', Buffer.from(bytes.toString('latin1'), 'utf16le')],
  ['a string of its bytes', JSON.stringify({ key: bytes.toString('latin1') })],
  ['a serialised buffer', JSON.stringify(bytes)],
  ['an inspected buffer', inspect(bytes)],
];

for (const [how, disguise] of disguises) {
  test(`a key is found as ${how}`, (t) => {
    t.not(findSecrets(around(disguise), planted).length, 0);
  });
}

test('what is not there is not found', (t) => {
  t.deepEqual(findSecrets(randomBytes(100_000), planted), []);
});

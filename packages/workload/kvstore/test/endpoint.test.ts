import test from 'ava';

import { isUnspecified, parseEndpoint } from '../src/endpoint.ts';
import { KvstoreError } from '../src/index.ts';

test('an endpoint has one spelling', (t) => {
  for (const [text, expected] of [
    ['https://10.0.0.5:2379', 'https://10.0.0.5:2379'],
    ['https://10.0.0.5:2379/', 'https://10.0.0.5:2379'],
    ['HTTPS://Node-1:2379', 'https://node-1:2379'],
    ['node-1', 'https://node-1:2379'],
    ['[fd00::1]:1234', 'https://[fd00::1]:1234'],
    ['http://localhost', 'http://localhost:2379'],
  ] as const) {
    t.is(parseEndpoint(text, true).text, expected);
  }
  t.is(parseEndpoint('localhost:2379', false).text, 'http://localhost:2379');
});

test('what is no endpoint is refused with what to write', (t) => {
  for (const text of [
    '',
    'ftp://a',
    'a:0',
    'a:65536',
    'a b',
    '[10.0.0.1]:1',
    'http://user@a',
    'https://a/path',
  ]) {
    t.throws(() => parseEndpoint(text, true), {
      instanceOf: KvstoreError,
      code: 'ERR_KVSTORE_ENDPOINT',
      message: /https:\/\/HOST:PORT/,
    });
  }
  t.throws(() => parseEndpoint('https://a', false), { code: 'ERR_KVSTORE_ENDPOINT', message: /certificate/ });
});

test('addresses that stand for all of a machine are told from those of one', (t) => {
  t.deepEqual(['0.0.0.0', '::', '0:0:0:0:0:0:0:0'].map(isUnspecified), [true, true, true]);
  t.deepEqual(['10.0.0.1', '::1', 'node', '127.0.0.1'].map(isUnspecified), [false, false, false, false]);
});

import { decode } from 'dns-packet';
import test from 'ava';

import { Cache } from '@nodecore/dns';
import { answerTo, message, question } from './fixtures/questions.ts';

const record = (ttl: number): Parameters<typeof answerTo>[1] => [
  { type: 'A', name: 'a', ttl, data: '10.0.0.1' },
];

test('an answer is told with what is left of its time, and not after it', (t) => {
  let now = 0;
  const cache = new Cache({ now: () => now });
  const query = message(question('a'));
  cache.keep(query, message(answerTo(query.bytes, record(10))));
  now = 4500;
  t.is(decode(cache.find(query) ?? Buffer.alloc(0)).answers?.[0]?.type, 'A');
  t.like(decode(cache.find(query) ?? Buffer.alloc(0)).answers?.[0], { ttl: 6 });
  now = 10_000;
  t.is(cache.find(query), undefined);
  t.deepEqual([cache.hits, cache.misses, cache.size], [2, 1, 0]);
});

test('nothing is kept longer than the cap, whatever its owner says', (t) => {
  let now = 0;
  const cache = new Cache({ now: () => now, longestS: 60 });
  const query = message(question('a'));
  cache.keep(query, message(answerTo(query.bytes, record(2_000_000_000))));
  now = 59_999;
  t.truthy(cache.find(query));
  now = 60_000;
  t.is(cache.find(query), undefined);
});

test('the one that was asked for longest ago goes first, and large ones are not kept', (t) => {
  const cache = new Cache({ most: 2, now: () => 0 });
  const [a, b, c] = ['a', 'b', 'c'].map((name) => message(question(name))) as [
    ReturnType<typeof message>,
    ReturnType<typeof message>,
    ReturnType<typeof message>,
  ];
  for (const query of [a, b]) cache.keep(query, message(answerTo(query.bytes, record(10))));
  cache.find(a);
  cache.keep(c, message(answerTo(c.bytes, record(10))));
  t.deepEqual(
    [a, b, c].map((query) => cache.find(query) !== undefined),
    [true, false, true],
  );
  const many = Array.from(
    { length: 200 },
    () => ({ type: 'TXT', name: 'b', ttl: 10, data: 'x'.repeat(100) }) as const,
  );
  cache.keep(b, message(answerTo(b.bytes, many)));
  t.is(cache.find(b), undefined);
});

test('what the buffer holds afterwards does not change what is kept', (t) => {
  const cache = new Cache({ now: () => 0 });
  const query = message(question('a'));
  const bytes = answerTo(query.bytes, record(10));
  cache.keep(query, message(bytes));
  bytes.fill(0);
  t.like(decode(cache.find(query) ?? Buffer.alloc(0)).answers?.[0], { data: '10.0.0.1' });
});

import test from 'ava';

import { compare, compile, parse } from '../src/index.ts';
import { corpus } from './corpus.ts';
import { filters } from './filters.ts';
import { Random } from './random.ts';

// Not on packets that are cut short: the optimiser drops loads, and with them the end that they would bring.
test('a program with and without the optimiser is the same on a corpus', async (t) => {
  const samples = corpus(new Random(5), 500, 'EN10MB', { whole: true });
  for (const filter of filters) {
    const options = { netmask: '255.255.255.0' };
    const optimized = await compile(filter, options).catch(() => undefined);
    if (optimized === undefined) continue;
    const plain = await compile(filter, { ...options, optimize: false });
    t.is(compare(optimized, plain, samples, { by: 'length' }), undefined, filter);
  }
});

test('the first packet that two programs treat differently is told', async (t) => {
  const [tcp, udp] = await Promise.all([compile('tcp'), compile('tcp or udp')]);
  const samples = corpus(new Random(6), 500, 'EN10MB');
  const found = compare(tcp, udp, samples);
  t.is(found?.first, 0);
  t.is(found?.second, 262_144);
  t.is(found?.sample, samples[found?.index ?? -1]);
  t.is(compare(tcp, udp, samples.slice(0, found?.index)), undefined);
});

test('how much of a packet is wanted counts only when it is asked for, and only up to its length', (t) => {
  const [ten, many] = [parse('ret #10'), parse('ret #1000')];
  const samples = [{ bytes: new Uint8Array(10) }, { bytes: new Uint8Array(10), context: { length: 11 } }];
  t.is(compare(ten, many, samples), undefined);
  t.is(compare(ten, many, samples, { by: 'length' })?.index, 1);
});

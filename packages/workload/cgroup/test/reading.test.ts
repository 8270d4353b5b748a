import test from 'ava';

import { parsePressure } from '../src/index.ts';

test('a pressure file becomes two lines, totals as bigint', (t) => {
  const text =
    'some avg10=91.05 avg60=68.44 avg300=72.08 total=6293160962\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=18446744073709551615\n';
  t.deepEqual(parsePressure(text), {
    some: { avg10: 91.05, avg60: 68.44, avg300: 72.08, totalUs: 6_293_160_962n },
    full: { avg10: 0, avg60: 0, avg300: 0, totalUs: 2n ** 64n - 1n },
  });
});

test('irq has only full, and what is damaged is absent', (t) => {
  const { some, full } = parsePressure('full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n');
  t.is(some, undefined);
  t.is(full?.totalUs, 7n);
  for (const text of [
    '',
    'some',
    'some avg10=1 avg60=0.00 avg300=0.00 total=7',
    'some avg10=0.00 avg60=0.00 avg300=0.00 total=-7',
  ]) {
    t.deepEqual(parsePressure(text), { some: undefined, full: undefined }, text);
  }
});

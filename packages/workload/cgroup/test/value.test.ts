import test from 'ava';

import { humanBytes, humanDuration, Value } from '../src/schema/index.ts';

const v = (text: string): Value => Value.parse(text);

test('a value keeps its digits and its decimals, whatever its size', (t) => {
  for (const text of ['0', '12', '-3', '1.05', '0.00', '100.00', '-0.50', '18446744073709551615', 'max']) {
    t.is(v(text).text(), text);
  }
  for (const text of ['', 'x', '1.', '.1', '1e3', '--1', '9'.repeat(41)]) t.is(v(text).text(), 'unset', text);
  t.is(v('1.05').number(), 1.05);
  t.is(v('max').number(), Infinity);
  t.true(Number.isNaN(v('').number()));
});

test('a share is percent with two decimals, halves rounded away from zero', (t) => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['1', '3', '33.33'],
    ['2', '3', '66.67'],
    ['1', '1', '100.00'],
    ['1', '800', '0.13'],
    ['3', '1', '300.00'],
    ['0', '7', '0.00'],
    ['1.50', '3', '50.00'],
    ['-1', '3', '-33.33'],
    ['', '3', 'unset'],
    ['3', '', 'unset'],
    ['3', 'max', '0.00'],
    ['max', 'max', '100.00'],
    ['max', '3', 'max'],
    ['3', '0', 'max'],
  ];
  for (const [above, below, share] of rows)
    t.is(v(above).divideBy(v(below)).text(), share, `${above}/${below}`);
});

test('bytes are shown in powers of 1024, with a decimal below ten', (t) => {
  const rows: readonly (readonly [bigint, string])[] = [
    [0n, '0 B'],
    [9n, '9 B'],
    [10n, '10 B'],
    [1023n, '1023 B'],
    [1024n, '1.0 KiB'],
    [1536n, '1.5 KiB'],
    [10_239n, '10 KiB'],
    [1_572_864n, '1.5 MiB'],
    [82_854_982n, '79 MiB'],
    [2n ** 40n, '1.0 TiB'],
    [2n ** 64n, '16 EiB'],
  ];
  for (const [bytes, text] of rows) t.is(humanBytes(bytes), text, String(bytes));
  t.is(v('max').humanizeIBytes(), 'max');
  t.is(v('').humanizeIBytes(), 'unset');
  t.is(v('1.50').humanizeIBytes(), '1.50');
});

test('microseconds are shown with the largest units first', (t) => {
  const rows: readonly (readonly [bigint, string])[] = [
    [0n, '0s'],
    [7n, '7µs'],
    [1500n, '1.5ms'],
    [1_000_000n, '1s'],
    [61_000_000n, '1m1s'],
    [3_723_400_000n, '1h2m3.4s'],
    [3_600_000_000n, '1h0m0s'],
    [-1500n, '-1.5ms'],
  ];
  for (const [microseconds, text] of rows) t.is(humanDuration(microseconds), text);
});

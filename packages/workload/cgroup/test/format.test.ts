import test from 'ava';

import {
  flag,
  flat,
  lines,
  nested,
  numbers,
  parseNumber,
  ranges,
  single,
  words,
} from '../src/files/format.ts';

test('numbers are as the kernel prints them, and max is Infinity', (t) => {
  t.is(parseNumber('0'), 0);
  t.is(parseNumber('-20'), -20);
  t.is(parseNumber('1.05'), 1.05);
  t.is(parseNumber('9007199254740991'), Number.MAX_SAFE_INTEGER);
  t.is(parseNumber('18446744073709551615'), 2 ** 64);
  t.is(parseNumber('max'), Infinity);
});

test('what is no number is absent, not zero', (t) => {
  for (const word of ['', ' ', '-', '1.', '.5', '0x10', '1e3', 'maximum', 'NaN', '1 2', '9'.repeat(400)]) {
    t.is(parseNumber(word), undefined, word);
  }
});

test('an absent file has no answer, an empty one has no value', (t) => {
  t.is(single(undefined), undefined);
  t.is(single(''), undefined);
  t.is(single('12\n'), 12);
  t.is(flag('1\n'), true);
  t.is(flag('0\n'), false);
  t.is(flag(undefined), undefined);
  t.is(words(undefined), undefined);
  t.deepEqual(words(''), []);
  t.deepEqual(words('cpu io\n'), ['cpu', 'io']);
  t.is(lines(undefined), undefined);
  t.deepEqual(numbers('1\n20\n'), [1, 20]);
});

test('keyed files become maps, and a damaged line is left out', (t) => {
  t.deepEqual(
    flat('a 1\nb max\n\ndamaged\nc x\n'),
    new Map([
      ['a', 1],
      ['b', Infinity],
    ]),
  );
  t.deepEqual(
    nested('8:0 rbytes=1 wbytes=max\n8:16\n'),
    new Map([
      [
        '8:0',
        new Map([
          ['rbytes', 1],
          ['wbytes', Infinity],
        ]),
      ],
      ['8:16', new Map()],
    ]),
  );
});

test('keys that objects have by birth are keys like others', (t) => {
  t.is(flat('__proto__ 1\nconstructor 2\n')?.get('__proto__'), 1);
  t.is(flat('__proto__ 1\n')?.get('toString'), undefined);
});

test('processors are ranges, and the largest one costs as much as the smallest', (t) => {
  t.deepEqual(ranges('0-3,7\n'), [
    { first: 0, last: 3 },
    { first: 7, last: 7 },
  ]);
  t.deepEqual(ranges('0-999999999'), [{ first: 0, last: 999_999_999 }]);
  t.deepEqual(ranges('\n'), []);
  t.deepEqual(ranges('3-1,x,-'), []);
  t.is(ranges(undefined), undefined);
});

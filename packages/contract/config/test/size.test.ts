import test from 'ava';

import { resolveSize } from '@nodecore/config';
import { isSizeMistake, parseSize, type Size } from '../src/size.ts';

function size(text: string): Size {
  const parsed = parseSize(text);
  if (isSizeMistake(parsed)) throw new Error(`${text}: ${parsed.message}`);
  return parsed;
}

const bytes = (text: string): bigint | undefined => {
  const parsed = size(text);
  return parsed.kind === 'bytes' ? parsed.bytes : undefined;
};

test('units are powers of 1000, or of 1024 with an i, in any case and with or without a space', (t) => {
  const expected: Record<string, bigint> = {
    '1048576': 1_048_576n,
    '7b': 7n,
    '1k': 1000n,
    '1KB': 1000n,
    '1ki': 1024n,
    '1KiB': 1024n,
    '100 MiB': 104_857_600n,
    '2m': 2_000_000n,
    '50GiB': 53_687_091_200n,
    '5gb': 5_000_000_000n,
    '1T': 1_000_000_000_000n,
    '1tib': 1_099_511_627_776n,
    '1pb': 10n ** 15n,
    '1PiB': 1n << 50n,
    '1e': 10n ** 18n,
    '15EiB': 15n << 60n,
    '1,234,567': 1_234_567n,
  };
  for (const [text, value] of Object.entries(expected)) t.is(bytes(text), value, text);
});

test('fractions are exact and truncated to whole bytes', (t) => {
  t.is(bytes('1.5TiB'), 1_649_267_441_664n);
  t.is(bytes('0.1GB'), 100_000_000n);
  t.is(bytes('9007199254740993.5'), 9_007_199_254_740_993n); // beyond what a double holds
  t.is(bytes('0.0009765625KiB'), 1n);
  t.is(bytes('0.9999b'), 0n);
});

test('2^64 - 1 bytes is the largest size', (t) => {
  t.is(bytes('18446744073709551615'), 18_446_744_073_709_551_615n);
  for (const text of ['18446744073709551616', '16EiB', '99999999999999999999999EB']) {
    t.like(parseSize(text), { code: 'overflow' }, text);
  }
});

test('the text is kept as it was written', (t) => {
  for (const text of ['50GiB', ' 1.5 tb', '-10%', '80%', '1,000k']) t.is(size(text).text, text);
});

test('what is no size is refused', (t) => {
  const broken = [
    '',
    '-',
    'GiB',
    '1 XB',
    '1.5.5GB',
    '1.GiB',
    '.5GiB',
    '--1',
    '1e3',
    '0x10',
    '1,5GiB',
    '1bi',
    '+1',
    '١',
  ];
  for (const text of broken) t.like(parseSize(text), { code: 'invalid' }, text);
  for (const text of ['%', '101%', '100.01%', '100.000000000000000001%', '5%GiB', '1e1%', '- 5%']) {
    t.like(parseSize(text), { code: 'percent' }, text);
  }
});

test('percentages are exact to the last decimal, or refused', (t) => {
  t.like(size('0.9%'), { kind: 'percent', digits: 9n, decimals: 1, negative: false });
  t.like(size('-12.25%'), { digits: 1225n, decimals: 2, negative: true });
  t.like(size('100%'), { digits: 100n, decimals: 0 });
  t.like(size('100.000%'), { digits: 100n, decimals: 0 });
  t.like(size('33.330%'), { digits: 3333n, decimals: 2 });
  const third = `33.${'3'.repeat(18)}%`;
  const available = 10n ** 20n + 7n;
  t.is(resolveSize(available, undefined, size(third)), (available * BigInt('3'.repeat(20))) / 10n ** 20n);
  t.is(resolveSize(10n ** 6n, undefined, size('12.3456%')), 123_456n);
  t.is(resolveSize(10n ** 20n, undefined, size(`-0.${'0'.repeat(17)}1%`)), 10n ** 20n - 1n);
  t.like(parseSize(`1.${'0'.repeat(18)}1%`), {
    code: 'percent',
    message: 'a percentage has at most 18 decimals: it is never rounded',
  });
});

test('a volume takes what is available up to its limit', (t) => {
  const available = 1000n;
  const expected: [string | undefined, bigint][] = [
    [undefined, 1000n],
    ['300', 300n],
    ['5000', 1000n],
    ['-100', 900n],
    ['50%', 500n],
    ['0.9%', 9n],
    ['-10%', 900n],
    ['-0.01%', 999n],
  ];
  for (const [text, result] of expected) {
    t.is(resolveSize(available, undefined, text === undefined ? undefined : size(text)), result, text);
  }
});

test('a share of a very large device is exact', (t) => {
  const available = (1n << 63n) + 7n;
  t.is(resolveSize(available, undefined, size('33.33%')), (available * 3333n) / 10_000n);
});

test('less than the minimum, or nothing, is an error and never "everything"', (t) => {
  const code = { code: 'ERR_CONFIG_SIZE' };
  t.throws(() => resolveSize(1000n, 1001n), code);
  t.throws(() => resolveSize(1000n, 600n, size('50%')), code);
  t.throws(() => resolveSize(1000n, undefined, size('-1000')), code);
  t.throws(() => resolveSize(1000n, undefined, size('-5000')), code);
  t.throws(() => resolveSize(50n, undefined, size('1%')), code);
  t.throws(() => resolveSize(0n), code);
  t.is(resolveSize(1000n, 500n, size('50%')), 500n);
});

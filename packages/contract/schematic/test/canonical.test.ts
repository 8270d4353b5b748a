import test from 'ava';
import { parse } from 'yaml';

import { canonicalText, parseSchematic, type Schematic } from '../src/index.ts';
import { compareNaturally } from '../src/natural-order.ts';
import { emitFloat, emitText } from '../src/scalar.ts';

const styles: Readonly<Record<string, readonly string[]>> = {
  plain: [
    'a',
    'a b',
    'a#b',
    'a:b',
    '<<',
    '=',
    '.5_',
    '-a',
    '?a',
    ':a',
    'a,b',
    'é',
    '2001-02-30',
    '0x',
    '1e',
    '--',
    'tRue',
    'a{b}',
    '\u00a0',
  ],
  double: [
    '',
    'true',
    'NULL',
    '~',
    '.inf',
    '-.INF',
    '.5',
    '5',
    '-5',
    '+5',
    '5_000',
    '0x1F',
    '0o7',
    '0b1',
    '0777',
    '0789',
    '1e3',
    '1.',
    '12:30',
    '190:20:30.15',
    '2001-1-1',
    '2001-12-14t21:59:43.10-05:00',
    'y',
    'No',
    'OFF',
    '18446744073709551615',
    '18446744073709551616',
    'a\tb',
    '\u{1f600}',
    '\uffff',
    'a \nb',
    'a\nb ',
  ],
  single: [
    '- a',
    '-',
    '? a',
    ':',
    ': a',
    'a: b',
    'a:',
    'a #b',
    ' a',
    'a ',
    ',a',
    '#a',
    '[a',
    '{}',
    '&a',
    '*a',
    '!a',
    '|',
    '>',
    "'a",
    '"a',
    '%a',
    '@a',
    '`a',
    '---',
    '...x',
  ],
  block: ['a\nb', 'a\n', 'a\n\n', ' a\nb', 'a\n\tb', '\n'],
};

for (const [style, texts] of Object.entries(styles))
  test(`these texts are written ${style}, and read as they were`, (t) => {
    const first: Readonly<Record<string, RegExp>> = {
      plain: /^[^'"|]/,
      double: /^"/,
      single: /^'/,
      block: /^\|/,
    };
    for (const text of texts) {
      const emitted = emitText(text, 4);
      t.regex(emitted, first[style]!, JSON.stringify(text));
      if (text !== '\n') t.is(parse(`k: ${emitted}\n`).k, text);
    }
  });

test('a literal block says its indentation and its ending', (t) => {
  t.is(emitText('a\n\nb', 4), '|-\n    a\n\n    b');
  t.is(emitText(' a\n', 4), '|4\n     a');
  t.is(emitText('a\n\n', 4), '|+\n    a\n');
  t.is(emitText('\n', 4), '|4+');
  t.is(emitText('\na', 4), '|4-\n    a'); // the newline in front is lost, as where the IDs were made
});

test('floats are in their fewest digits', (t) => {
  const floats = [0.5, -0, 123456, 1234567.5, 1e6, 1e-4, 0.00001234, 1e300, -2.5, NaN, -Infinity];
  const written = [
    '0.5',
    '-0',
    '123456',
    '1.2345675e+06',
    '1e+06',
    '0.0001',
    '1.234e-05',
    '1e+300',
    '-2.5',
    '.nan',
    '-.inf',
  ];
  t.deepEqual(
    floats.map((float) => emitFloat(float)),
    written,
  );
});

test('names are in natural order', (t) => {
  const ordered = [
    '',
    '-',
    '_',
    '1',
    '01',
    '2',
    '10',
    'A',
    'a',
    'a-',
    'a1',
    'a01',
    'a2',
    'a10',
    'a100',
    'ab',
    'b',
  ];
  t.deepEqual(ordered.toReversed().sort(compareNaturally), ordered);
});

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = [
  'a',
  'Z',
  '0',
  '7',
  ' ',
  ' ',
  '\n',
  '\t',
  ':',
  '#',
  '-',
  '_',
  '.',
  "'",
  '"',
  '\\',
  '{',
  '[',
  ',',
  '&',
  '*',
  '!',
  '|',
  '>',
  '%',
  '@',
  '`',
  '~',
  'é',
  '\u{1f600}',
  'yes',
  'null',
  '0x',
  '1e5',
  '12:30',
  '2001-01-01',
  '---',
  '<<',
];

test('every schematic that is read has a canonical text that reads the same, and is its own canonical text', (t) => {
  const below = numbers(17);
  const text = (): string =>
    Array.from({ length: below(8) }, () => pieces[below(pieces.length)])
      .join('')
      .replace(/^[ \n]+/, '');
  const option = (depth: number): any => {
    const kind = below(depth > 2 ? 4 : 6);
    if (kind === 0) return below(1000) - 500;
    if (kind === 1) return below(1000) / 8 + 1 / 16;
    if (kind === 2) return below(2) === 0;
    if (kind === 3) return text();
    if (kind === 4) return Array.from({ length: below(4) }, () => option(depth + 1));
    return Object.fromEntries(
      Array.from({ length: below(4) }, () => [`k${text().replaceAll('\n', '')}`, option(depth + 1)]),
    );
  };
  for (let round = 0; round < 2000; round += 1) {
    const submitted = {
      overlay: { image: 'i', name: 'n1', options: { first: option(0), second: option(1) } },
      customization: {
        embeddedMachineConfiguration: text(),
        meta: Array.from({ length: below(3) }, () => ({ key: below(32), value: text() })),
        secureboot: { includeWellKnownCertificates: below(2) === 0 },
      },
    };
    const schematic: Schematic = parseSchematic(JSON.stringify(submitted));
    const canonical = canonicalText(schematic);
    t.deepEqual(parseSchematic(canonical), schematic, JSON.stringify(submitted));
    t.is(canonicalText(parseSchematic(canonical)), canonical);
  }
});

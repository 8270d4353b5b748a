import { PassThrough } from 'node:stream';

import test from 'ava';
import { parse, parseAllDocuments } from 'yaml';

import { JsonPath } from '../src/output/json-path.ts';
import { formatObjects, formatStreamed, printFound } from '../src/output/objects.ts';

/** What terminals obey or what turns text around, all that JSON and YAML could leave as it is. */
const raw = /[\u007F-\u009F\u2028-\u202E\u2066-\u2069]/u;
const codes = [
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
  ...Array.from({ length: 7 }, (_, index) => 0x20_28 + index),
  ...Array.from({ length: 4 }, (_, index) => 0x20_66 + index),
];
const evil = `a\u001B[2J\u0007${String.fromCodePoint(...codes)}"b\\`;

const objects: readonly Readonly<Record<string, unknown>>[] = [
  { id: evil, [`key ${evil}`]: [evil, { deep: evil }], size: 9_007_199_254_740_993n, plain: 'ä b' },
  {
    short: '\u009B',
    reversed: '\u202Ename',
    lines: `first\u2028\n second ${evil} \n\n  third${'.'.repeat(60)}\n`,
    number: '12',
    nothing: null,
    [`long ${evil} ${'x'.repeat(1100)}`]: 1,
  },
];
/** As JavaScript has them again: digits of large numbers are another subject. */
const readAgain = objects.map((object) =>
  'size' in object ? { ...object, size: 9_007_199_254_740_992 } : object,
);

test('JSON and YAML have what a terminal would obey as escapes, and the same values', async (t) => {
  for (const single of [true, false]) {
    const json = await formatObjects(objects, { kind: 'json' }, { single });
    t.notRegex(json, raw);
    t.deepEqual(JSON.parse(json), single ? readAgain[0] : readAgain);
    t.true(json.includes('9007199254740993'));
  }
  const yaml = await formatObjects(objects, { kind: 'yaml' }, { single: false });
  t.notRegex(yaml, raw);
  t.deepEqual(
    parseAllDocuments(yaml).map((document) => document.toJS() as unknown),
    readAgain,
  );
  t.true(yaml.includes('plain: ä b\n'));
});

test('what is streamed has them as escapes, too', async (t) => {
  const [object] = objects;
  const json = await formatStreamed(object, { kind: 'json' });
  t.notRegex(json, raw);
  t.is(json.split('\n').length, 2);
  t.deepEqual(JSON.parse(json), readAgain[0]);
  const yaml = await formatStreamed(object, { kind: 'yaml' });
  t.notRegex(yaml, raw);
  t.true(yaml.endsWith('\n---\n'));
  t.deepEqual(parse(yaml.replace(/---\n$/u, '')), readAgain[0]);
});

test('objects without such characters are as the library writes them', async (t) => {
  const yaml = await formatObjects(
    [{ a: 'b: c', list: ['x\ny\n', '1'] }],
    { kind: 'yaml' },
    { single: true },
  );
  t.is(yaml, 'a: "b: c"\nlist:\n  - |\n    x\n    y\n  - "1"\n');
});

test('a text by JSONPath moves no cursor of a terminal, and is as it is for a program', async (t) => {
  const value = { id: 'a\u001B[2J\u009B\u202E\tb\nc', in: { x: '\u009B' } };
  const shown = String.raw`a\x1b[2J\x9b\u202e` + '\tb\nc';
  for (const [path, terminal, program] of [
    ['$.id', `${shown}\n`, `${value.id}\n`],
    ['{"\\u001b[1m"}{.id}', `\u001B[1m${shown}\n`, `\u001B[1m${value.id}\n`], // the user's own
    ['{.in}!', '{"x":"\\u009b"}!\n', '{"x":"\\u009b"}!\n'],
    ['$.in', '{\n  "x": "\\u009b"\n}\n', '{\n  "x": "\\u009b"\n}\n'],
  ] as const) {
    const format = { kind: 'jsonpath', path: new JsonPath(path) } as const;
    const single = true;
    t.is(await formatObjects([value], format, { single, isTerminal: true }), terminal, path);
    t.is(await formatObjects([value], format, { single, isTerminal: false }), program, path);
    t.is(await formatStreamed(value, format, { isTerminal: true }), terminal, path);
    for (const isTTY of [true, false]) {
      const out = Object.assign(new PassThrough(), { isTTY });
      await printFound({ out }, format, [value], { single, text: () => '' });
      t.is(String(out.read()), isTTY ? terminal : program, path);
    }
  }
});

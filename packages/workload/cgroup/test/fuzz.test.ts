import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { flat, nested, numbers, parseNumber, ranges, single, words } from '../src/files/format.ts';
import { countersOf, findHierarchy, parsePressure, rateFiles } from '../src/index.ts';
import { compileTemplate, presetNames, presetSchema, ratedText, SchemaError } from '../src/schema/index.ts';
import { copiedTree, foreignReader } from './copied-tree.ts';
import { schemaNode } from './schema-node.ts';

/** `FUZZ_SEED=…` repeats a run. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

/** mulberry32: small, seeded, and good enough to choose among bytes. */
function generator(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** What control files are made of, and what they never should be. */
const pieces = [
  '0',
  '1',
  '-',
  '.',
  '9007199254740993',
  '18446744073709551616',
  'max',
  'some',
  'full',
  'total=',
  'avg10=',
  '=',
  ' ',
  '\n',
  '\t',
  '\0',
  '\r\n',
  '8:0',
  'N0=',
  '__proto__',
  'constructor',
  'usage_usec',
  '0-3',
  ',',
  'é',
  '\u2028',
  '%',
  '{{',
];

function text(random: (below: number) => number): string {
  let result = '';
  for (let count = random(12); count > 0; count -= 1) result += pieces[random(pieces.length)];
  return result;
}

const parsers: readonly ((text: string) => unknown)[] = [
  parseNumber,
  single,
  words,
  numbers,
  flat,
  nested,
  ranges,
  parsePressure,
];

test(`a million hostile contents are parsed, and none throws (seed ${seed})`, (t) => {
  const random = generator(seed);
  for (let round = 0; round < 1_000_000 / parsers.length; round += 1) {
    const content = text(random);
    for (const parse of parsers) parse(content);
    const number = parseNumber(content);
    if (number !== undefined && content !== 'max') {
      if (!Number.isFinite(number)) t.fail(`${JSON.stringify(content)} became ${number}`);
    }
  }
  t.pass();
});

test(`presets show any content (seed ${seed})`, (t) => {
  const random = generator(seed);
  const schemas = presetNames.map(presetSchema);
  for (let round = 0; round < 2000; round += 1) {
    const files = new Map<string, string>();
    const node = schemaNode({}, { parent: schemaNode({}) });
    const hostile = {
      ...node,
      text: (file: string) => {
        if (!files.has(file)) files.set(file, text(random));
        return files.get(file);
      },
    };
    for (const schema of schemas) t.is(schema.row(hostile).length, schema.columns.length);
  }
});

test(`rates take the place of the counters of any content, and of nothing else (seed ${seed})`, (t) => {
  const random = generator(seed);
  for (let round = 0; round < 50_000; round += 1) {
    const content = text(random);
    const file = rateFiles[random(rateFiles.length)] ?? '';
    const counters = countersOf(file, content);
    // Each as fast as it is large: nothing changes but how a number is written.
    const same = countersOf(
      file,
      ratedText(file, content, (counter) => counters.get(counter)),
    );
    const finite = [...counters].filter(([, value]) => Number.isSafeInteger(value));
    for (const [counter, value] of finite)
      if (same.get(counter) !== value) t.fail(`${file}: ${JSON.stringify(content)}: ${counter}`);
    const none = countersOf(
      file,
      ratedText(file, content, () => undefined),
    );
    if (none.size > 0) t.fail(`${file}: ${JSON.stringify(content)} keeps ${[...none.keys()].join()}`);
  }
  t.pass();
});

const template = [
  '{{',
  '}}',
  '{{-',
  '-}}',
  'if',
  'else',
  'end',
  'range',
  'with',
  '.',
  '.CPUStat',
  '.CPUMax',
  '.Parent',
  '$',
  '$x',
  ':=',
  '=',
  '|',
  '(',
  ')',
  'printf',
  'index',
  'len',
  'eq',
  '"%5s"',
  '`',
  '"',
  '1',
  '-2.5',
  ' ',
  '\n',
  'true',
  'nil',
  ',',
  'break',
  '.user_usec',
  '.DivideBy',
  '/*',
  '*/',
];

test(`templates are compiled and filled, or refused with a place in them (seed ${seed})`, (t) => {
  const random = generator(seed);
  const node = schemaNode({ 'cpu.stat': 'user_usec 1\n', 'cpu.max': 'max 5\n' }, { parent: schemaNode({}) });
  let filled = 0;
  for (let round = 0; round < 100_000; round += 1) {
    let source = random(2) === 0 ? '{{ ' : '';
    for (let count = random(10); count > 0; count -= 1) source += template[random(template.length)];
    if (random(2) === 0) source += ' }}';
    try {
      compileTemplate(source).render(node);
      filled += 1;
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      if (error.line < 1 || error.column < 1) t.fail(`${JSON.stringify(source)}: ${error.message}`);
    }
  }
  t.true(filled > 1000);
});

test(`mount tables of any kind are told apart or refused (seed ${seed})`, async (t) => {
  const random = generator(seed);
  for (let round = 0; round < 20_000; round += 1) {
    const mountinfo = `${text(random)} - cgroup${random(3)} ${text(random)} ${text(random)}\n`;
    await findHierarchy({ mountinfo }).catch((error: unknown) => {
      if ((error as { code?: string }).code !== 'ERR_CGROUP_VERSION') throw error;
    });
  }
  t.pass();
});

test.serial(`columns of hostile files are what the text says, or absent (seed ${seed})`, async (t) => {
  const random = generator(seed);
  const directory = await copiedTree(t, { 'a/f': '' });
  const reader = await foreignReader(t, directory);
  const columns = [
    { file: 'f' },
    { file: 'f', part: '1' },
    { file: 'f', line: 'usage_usec' },
    { file: 'f', line: 'some', part: 'total' },
    { file: 'f', line: '#' },
  ];
  for (let round = 0; round < 300; round += 1) {
    const content = text(random);
    await writeFile(join(directory, 'a/f'), content);
    const cells = await reader.readColumns(columns);
    const [first, , keyed, part, count] = cells.columns;
    const line = content.split('\n', 1)[0]?.split(' ', 1)[0] ?? '';
    if (/^\d{1,19}$/.test(line))
      t.is(first?.values[1], BigInt.asUintN(64, BigInt(line)), JSON.stringify(content));
    if (!content.includes('usage_usec')) t.is(keyed?.states[1], 0);
    if (!content.includes('total=')) t.is(part?.states[1], 0);
    t.is(count?.values[1], BigInt(Buffer.from(content).toString().split('\n').length - 1));
  }
});

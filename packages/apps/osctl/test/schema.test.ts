import { readFile } from 'node:fs/promises';

import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';

import * as messages from '../../../contract/api/gen/nodecore-v1.js';
import { schemaFiles } from '../src/schema/all.ts';
import { breaksOf } from '../src/schema/breaks.ts';
import { publishedSchema, publishedSchemas, requireShape } from './answer-shape.ts';

type Part = { readonly [keyword: string]: unknown };

/** Copies of a schema, each with one change to a part that `change` finds something in. */
function changed(schema: Part, change: (part: Part) => Part | undefined): readonly Part[] {
  const own = change(schema);
  const below = Object.entries(schema).flatMap(([keyword, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    return changed(value as Part, change).map((copy) => ({ ...schema, [keyword]: copy }));
  });
  // A list stays one: its numbered copies are made lists again.
  const all = [...(own === undefined ? [] : [own]), ...below];
  return Array.isArray(schema) ? all.map((copy) => Object.values(copy) as unknown as Part) : all;
}

function without(part: Part, name: string): Part {
  return Object.fromEntries(Object.entries(part).filter(([each]) => each !== name));
}

function isFields(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The part with its last field taken away. */
function fieldLess(part: Part): Part | undefined {
  const { properties, required } = part;
  const name = isFields(properties) ? Object.keys(properties).at(-1) : undefined;
  if (name === undefined || !isFields(properties)) return undefined;
  const kept = Array.isArray(required) ? required.filter((each) => each !== name) : [];
  return { ...part, properties: without(properties, name), required: kept };
}

/** The part as one of another type. */
function retyped(part: Part): Part | undefined {
  if (typeof part['type'] !== 'string') return undefined;
  return { ...part, type: part['type'] === 'string' ? 'integer' : 'string' };
}

/** The part without its last word. */
function wordLess(part: Part): Part | undefined {
  return Array.isArray(part['enum']) ? { ...part, enum: part['enum'].slice(0, -1) } : undefined;
}

/** The part with a field that may be absent. */
function uncertain(part: Part): Part | undefined {
  const { required } = part;
  return Array.isArray(required) && required.length > 0
    ? { ...part, required: required.slice(1) }
    : undefined;
}

for (const [title, change, atLeast] of [
  ['a field that is gone', fieldLess, 100],
  ['a type that is another', retyped, 400],
  ['a word that is never said any more', wordLess, 20],
  ['a field that may be absent', uncertain, 100],
] as const)
  test(`${title} breaks a published schema, wherever it is`, async (t) => {
    let count = 0;
    for (const name of await publishedSchemas()) {
      const schema = (await publishedSchema(name)) as Part;
      for (const copy of changed(schema, change)) {
        count++;
        t.true(breaksOf(schema, copy).length > 0, `${name}: ${JSON.stringify(copy)}`);
      }
    }
    t.true(count > atLeast, `${count} changes`);
  });

test('what is gone is told by its place, and so is what is another', async (t) => {
  const schema = (await publishedSchema('osctl-pressure.schema.json')) as Part;
  const copy = JSON.parse(
    JSON.stringify(schema)
      .replaceAll('"avg10"', '"avg15"')
      .replaceAll('"full":{"type":"object"', '"full":{"type":"array"'),
  ) as Part;
  t.deepEqual(breaksOf(schema, copy).slice(0, 3), [
    'item.pressure.cpu.some.avg10 is gone',
    'item.pressure.cpu.full: type is another',
    'item.pressure.cpu.full.avg10 is gone',
  ]);
});

/** The part with a field, or a word, that it did not have. */
function more(part: Part): Part | undefined {
  if (isFields(part['properties']) && isFields(part['properties']['node']))
    return {
      ...part,
      description: 'other words',
      properties: { ...part['properties'], more: { type: 'string' } },
      required: ['more', ...(part['required'] as readonly string[])],
    };
  return Array.isArray(part['enum']) ? { ...part, enum: ['more', ...(part['enum'] as string[])] } : undefined;
}

test('more fields, more words and other descriptions break nothing', async (t) => {
  let count = 0;
  for (const name of await publishedSchemas()) {
    const schema = (await publishedSchema(name)) as Part;
    for (const copy of changed(schema, more)) {
      count++;
      t.deepEqual(breaksOf(schema, copy), [], name);
    }
  }
  t.true(count > 50);
});

test('what is published is kept by what commands promise now', async (t) => {
  const current = schemaFiles();
  for (const name of await publishedSchemas()) {
    const text = current.get(name);
    t.not(text, undefined, `${name}: the command has no JSON any more`);
    t.deepEqual(breaksOf(await publishedSchema(name), JSON.parse(text ?? '')), [], name);
  }
});

test('an answer with a field that is not published is found, and one without a field that is', async (t) => {
  const line = ['-n', '10.0.0.1', 'stats', '-o', 'json'];
  const stat = {
    node: '10.0.0.1',
    namespace: 'system',
    id: 'etcd',
    memoryBytes: 1,
    cpuNanos: 2,
    podId: '',
    name: 'etcd',
  };
  await t.notThrowsAsync(requireShape(line, JSON.stringify([stat])));
  await t.throwsAsync(requireShape(line, JSON.stringify([{ ...stat, more: 1 }])), { message: /more/u });
  await t.throwsAsync(requireShape(line, JSON.stringify([{ ...stat, id: undefined }])), { message: /'id'/u });
  await t.throwsAsync(requireShape(line, JSON.stringify([{ ...stat, memoryBytes: '1' }])), {
    message: /memoryBytes must be integer/u,
  });
  await t.throwsAsync(requireShape(line, '['), { name: 'SyntaxError' });
});

/** As JSON has it: bytes in base64, of 64 bits a number. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

test('every message that a node answers with is decoded as its schema says', async (t) => {
  const file = new URL('../../../contract/api/gen/messages.schema.json', import.meta.url);
  const schema = JSON.parse(await readFile(file, 'utf8')) as { readonly $defs: object };
  const ajv = new Ajv2020({ allErrors: true, strict: true }).addSchema({ $id: 'messages', ...schema });
  const codecs = messages as unknown as Readonly<Record<string, { decode: (bytes: Uint8Array) => unknown }>>;
  const names = Object.keys(schema.$defs);
  t.true(names.length > 100);
  for (const name of names) {
    const isValid = ajv.compile({ $ref: `messages#/$defs/${name}` });
    const decoded = codecs[name]?.decode(new Uint8Array());
    const text = JSON.stringify(decoded, (_name, value: unknown) => plain(value));
    if (!isValid(JSON.parse(text))) t.fail(`${name}: ${ajv.errorsText(isValid.errors)}: ${text}`);
  }
});

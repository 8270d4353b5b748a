import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { parseDocument, stringify } from 'yaml';

import { jsonSchema, patchConfiguration, redact, restoreSecrets, type Kind } from '@nodecore/config';
import { type Fields, type Type } from '../src/field/type.ts';
import { descriptionOf, kinds } from '../src/kind/kinds.ts';
import { secretFields } from '../src/secret-fields.ts';
import { readSource } from '../src/source.ts';
import { problemsOf } from './fixtures/problems.ts';
import { randomFrom } from './fixtures/mutation.ts';
import { allKinds, exampleOf, type Plain } from './kind/described.ts';

type Random = (below: number) => number;

const head = (kind: string): string => `apiVersion: v1alpha1\nkind: ${kind}\n`;
const examples = [...kinds].map(([kind, { options }]) => ({ kind, text: head(kind) + options.example }));

/** A value of a type: one that its schema names, or the one that the example has. */
function some(type: Type<unknown>, given: unknown, random: Random): unknown {
  const { json, fields, item } = type;
  if (fields !== undefined) return object(fields, (given ?? {}) as Plain, random);
  if (Array.isArray(json['enum'])) {
    const words = json['enum'].filter((word) => typeof word === 'string');
    return words.length === 0 ? given : words[random(words.length)];
  }
  if (json['type'] === 'boolean') return random(2) === 0;
  if (
    json['type'] === 'integer' &&
    typeof json['minimum'] === 'number' &&
    typeof json['maximum'] === 'number'
  )
    return Math.min(
      json['maximum'],
      json['minimum'] + random(1 + Math.min(json['maximum'] - json['minimum'], 1e6)),
    );
  if (json['type'] === 'array' && item !== undefined && Array.isArray(given) && random(2) === 0)
    return given.map((one) => some(item, one, random));
  return given;
}

/** A mapping: what is required, and of the rest what the dice say. */
function object(fields: Fields, given: Plain, random: Random): Plain {
  const entries = Object.entries(fields).flatMap(([name, { type, need, fallback }]) => {
    const known = given[name] ?? fallback;
    if (need !== 'required' && random(3) === 0) return [];
    const value = some(type, known, random);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** What a reader says of a shape; everything else is a rule. */
const shapes: ReadonlySet<string> = new Set(['wrong_type', 'unknown_field', 'invalid_value', 'number.range']);

test('random documents are right, or break a rule and no shape; what is right satisfies the JSON Schema', (t) => {
  const random = randomFrom(20_261_123);
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  let right = 0;
  for (const kind of allKinds) {
    const schema = ajv.compile(jsonSchema(kind as Kind));
    const example = exampleOf(kind);
    const fields = descriptionOf(kind)?.options.fields ?? {};
    for (let round = 0; round < 20; round += 1) {
      const text = (kind === 'machine' ? '' : head(kind)) + stringify(object(fields, example, random));
      const problems = problemsOf(text);
      t.deepEqual(
        problems.filter(({ code }) => shapes.has(code)),
        [],
        text,
      );
      if (problems.length > 0) continue;
      right += 1;
      if (!schema(parseDocument(text).toJS())) t.fail(`${JSON.stringify(schema.errors)}\n${text}`);
    }
  }
  t.true(right > kinds.size * 5, `${right}`);
});

test('every secret of every kind is hidden, nothing else is, and it comes back', (t) => {
  let secrets = 0;
  for (const { kind, text } of examples) {
    const shown = redact(text);
    const [document] = readSource(text, undefined).documents;
    const hidden = document === undefined ? [] : secretFields(document, text);
    secrets += hidden.length;
    for (const { value } of hidden) if (value.length > 4) t.false(shown.includes(value.trim()), kind);
    if (hidden.length === 0) t.is(shown, text, kind);
    t.deepEqual(parseDocument(restoreSecrets(shown, text)).toJS(), parseDocument(text).toJS(), kind);
  }
  t.true(secrets > 5, `${secrets}`);
});

test('a document that is merged into itself stays as it is, to the byte', (t) => {
  for (const { kind, text } of examples) t.is(patchConfiguration(text, [{ text }]), text, kind);
});

const dhcp = (name: string): string => `---\n${head('DHCPv4Config')}name: ${name}\n`;

test('two documents of a kind whose name has a digit in it are two', (t) => {
  t.deepEqual(problemsOf(dhcp('enp0s2') + dhcp('enp0s3')), []);
});

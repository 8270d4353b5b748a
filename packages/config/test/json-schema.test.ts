import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import test from 'ava';
import { parseAllDocuments } from 'yaml';

import { jsonSchema, type Kind } from '@nodecore/config';
import { accepted, refusals, warnings } from './fixtures/encryption-documents.ts';
import { unmark } from './fixtures/marked.ts';

const kinds: readonly Kind[] = [
  'machine',
  'UserVolumeConfig',
  'VolumeConfig',
  'TrustedRootsConfig',
  'FilesystemTrimConfig',
  'OOMConfig',
];
const ajv = new Ajv2020({ allErrors: true, strict: false });
const validators = new Map<string, ValidateFunction>(
  kinds.map((kind) => [kind, ajv.compile(jsonSchema(kind))]),
);

/** What an editor says of a text, by schema alone. */
function editorAccepts(text: string): boolean {
  return parseAllDocuments(text).every((document) => {
    const value = document.toJS() as { kind?: string };
    return validators.get(value.kind ?? 'machine')?.(value) === true;
  });
}

test('a schema is strict and marks secrets as write-only', (t) => {
  const schema = jsonSchema('UserVolumeConfig') as any;
  t.is(schema.additionalProperties, false);
  t.deepEqual(schema.required, ['apiVersion', 'kind', 'name']);
  const key = schema.properties.encryption.properties.keys.items;
  t.true(key.properties.static.properties.passphrase.writeOnly);
  t.true((jsonSchema('machine') as any).properties.machine.properties.ca.properties.key.writeOnly);
  t.is((jsonSchema('VolumeConfig') as any).properties.filesystem.properties.type, undefined);
});

test('an editor accepts what the parser accepts, warned of or not', (t) => {
  for (const [what, text] of Object.entries(accepted)) t.true(editorAccepts(text), what);
  for (const [what, [, marked]] of Object.entries(warnings)) t.true(editorAccepts(unmark(marked).text), what);
});

test('an editor refuses what the parser refuses, but for slots that are compared with each other', (t) => {
  for (const [what, [code, marked]] of Object.entries(refusals)) {
    t.is(editorAccepts(unmark(marked).text), code === 'key.slot_duplicate', what);
  }
});

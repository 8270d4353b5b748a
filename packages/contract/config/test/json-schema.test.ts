import { readdir, readFile } from 'node:fs/promises';

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
  'RawVolumeConfig',
  'SwapVolumeConfig',
  'ExistingVolumeConfig',
  'ExternalVolumeConfig',
  'TrustedRootsConfig',
  'FilesystemTrimConfig',
  'LinkAgentConfig',
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

/** What takes more than one field, more than one document, arithmetic or a compiler to find. */
const beyondSchemas: ReadonlySet<string> = new Set([
  'disk_selector.invalid',
  'volume_selector.invalid',
  'erase.system_disk',
  'size.min_gt_max',
  'size.overflow',
  'size.too_small',
  'mount_path.clash',
  'document.duplicate',
  'document.none',
  'key.slot_duplicate',
  'key.kms_endpoint',
  'trim.interval_short',
  'yaml.anchor',
  'yaml.alias',
  'yaml.duplicate_key',
]);

const volumeFiles = new URL('fixtures/volumes/', import.meta.url);
const schemaDirectory = new URL('../schemas/v1.13/', import.meta.url);

/** What an editor says that is given the published file for documents of every kind. */
async function publishedSchema(): Promise<(text: string) => boolean> {
  const published = new Ajv2020({ allErrors: true, strict: false });
  for (const name of await readdir(schemaDirectory))
    published.addSchema(JSON.parse(await readFile(new URL(name, schemaDirectory), 'utf8')) as object);
  const accepts = published.getSchema('config.schema.json');
  if (accepts === undefined) throw new Error('config.schema.json is not published');
  return (text) =>
    parseAllDocuments(text)
      .map((document) => document.toJS() as unknown)
      .every((value) => value === null || accepts(value) === true);
}

test('the published schema takes and refuses the same files as the parser, as far as a schema can', async (t) => {
  const accepts = await publishedSchema();
  const files = (await readdir(volumeFiles)).filter((name) => name.endsWith('.yaml'));
  let refused = 0;
  for (const name of files) {
    const text = await readFile(new URL(name, volumeFiles), 'utf8');
    const codes = [...text.matchAll(/^# finds \S+ (?<code>\S+)/gmu)].map(
      (match) => match.groups?.['code'] ?? '',
    );
    if (codes.length > 0 && codes.every((code) => beyondSchemas.has(code))) continue;
    t.is(accepts(text), codes.length === 0, name);
    refused += codes.length > 0 ? 1 : 0;
  }
  t.true(refused > 45, `${refused}`);
});

test('the published schemas are those of this version of the documents', async (t) => {
  for (const kind of kinds) {
    const text = await readFile(new URL(`${kind}.schema.json`, schemaDirectory), 'utf8');
    t.like(JSON.parse(text), jsonSchema(kind));
  }
});

import { readFile, readdir } from 'node:fs/promises';

import test from 'ava';

import { explain, jsonSchema } from '@nodecore/config';
import { kinds } from '../src/kind/kinds.ts';
import { referenceFiles, referencePage } from '../src/reference.ts';

test('the page of a kind has its fields, what they fall back on, and an example', (t) => {
  const page = referencePage('EtcFileConfig');
  t.true(page.startsWith('# EtcFileConfig\n\nA file below /etc. There may be many, told apart by `name`.'));
  t.true(page.includes('| `mode` | octal number | `0o644` | permissions, in octal |'), page);
  t.true(page.includes('Hidden where a configuration is shown.'));
  t.true(page.includes('```yaml\napiVersion: v1alpha1\nkind: EtcFileConfig\nname: motd\n'));
  t.true(referencePage('UserVolumeConfig').includes('| `encryption.keys[].static.passphrase` |'));
});

test('the published pages and schemas are those of the descriptions', async (t) => {
  const docs = new URL('../../../../docs/documents/', import.meta.url);
  for (const [name, text] of referenceFiles()) t.is(await readFile(new URL(name, docs), 'utf8'), text, name);
  t.deepEqual((await readdir(docs)).toSorted(), [...referenceFiles().keys()].toSorted());
});

test('a field of any kind is explained, with those below it', (t) => {
  t.is(explain('Nothing'), undefined);
  t.is(explain('ZswapConfig', 'nothing'), undefined);
  t.regex(explain('ZswapConfig') ?? '', /^ZswapConfig: pages are compressed.*\nmaxPoolPercent +share/su);
  t.regex(explain('UserVolumeConfig', 'encryption.keys.tpm') ?? '', /^encryption\.keys\[\]\.tpm [^]*pcrs/u);
  for (const kind of kinds.keys()) t.true((explain(kind) ?? '').length > 20, kind);
});

test('schemas stay where editors were told, and together have 200 KB at most as they are read', async (t) => {
  const directory = new URL('../schemas/v1.13/', import.meta.url);
  const names = await readdir(directory);
  for (const kind of ['machine', ...kinds.keys()]) t.true(names.includes(`${kind}.schema.json`), kind);
  t.true(names.includes('config.schema.json'));
  const all = [...kinds.keys()].map((kind) => JSON.stringify(jsonSchema(kind as 'machine')).length);
  const total = all.reduce((sum, one) => sum + one, 0);
  t.log(`${total} bytes`);
  t.true(total <= 200_000, `${total} bytes`);
});

import { readFile, readdir } from 'node:fs/promises';

import test from 'ava';

import { explain } from '@nodecore/config';
import { kinds } from '../src/kind/kinds.ts';
import { schemaPaths } from './fixtures/schema-paths.ts';
import { referenceFiles, referencePage } from '../src/reference.ts';

test('the page of a kind has its fields, what they fall back on, and an example', (t) => {
  const page = referencePage('EtcFileConfig');
  t.true(page.startsWith('# EtcFileConfig\n\nA file below /etc. There may be many, told apart by `name`.'));
  t.true(page.includes('| `mode` | octal number | `0o644` | permissions, in octal |'), page);
  t.true(page.includes('Hidden where a configuration is shown.'));
  t.true(page.includes('```yaml\napiVersion: v1alpha1\nkind: EtcFileConfig\nname: motd\n'));
  t.true(referencePage('UserVolumeConfig').includes('| `encryption.keys[].static.passphrase` |'));
});

test('a field of the root says which document has taken its place', (t) => {
  const page = referencePage('machine');
  t.regex(page, /`machine\.network\.hostname` .*Older: now \[HostnameConfig\]\(HostnameConfig\.md\)\. \|/u);
  t.regex(explain('machine', 'machine.sysctls') ?? '', /; older, now SysctlConfig\n/u);
  t.notRegex(explain('machine', 'machine.certSANs') ?? '', /older/u);
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

const directory = new URL('../schemas/v1.13/', import.meta.url);
const published = async (name: string): Promise<object> =>
  JSON.parse(await readFile(new URL(name, directory), 'utf8')) as object;

test('schemas stay where editors were told, and together have 200 KB at most as they are read', async (t) => {
  const names = await readdir(directory);
  t.deepEqual(
    names.toSorted(),
    ['config', 'machine', ...kinds.keys()].map((kind) => `${kind}.schema.json`).toSorted(),
  );
  let total = 0;
  for (const name of names) total += Buffer.byteLength(JSON.stringify(await published(name)));
  t.log(`${total} bytes`);
  t.true(total <= 200_000, `${total} bytes`);
});

test('a field that an editor was told of stays in its schema', async (t) => {
  const url = new URL('fixtures/frozen-schemas.json', import.meta.url);
  const frozen = JSON.parse(await readFile(url, 'utf8')) as Readonly<Record<string, readonly string[]>>;
  for (const [kind, paths] of Object.entries(frozen)) {
    const present = new Set(schemaPaths((await published(`${kind}.schema.json`)) as Record<string, unknown>));
    for (const path of paths) t.true(present.has(path), `${kind} ${path}`);
  }
});

test('the index leads to the schema of each kind, and each schema says where it is and what it is of', async (t) => {
  const index = JSON.stringify(await published('config.schema.json'));
  for (const kind of kinds.keys()) {
    t.true(index.includes(`{"$ref":"${kind}.schema.json"}`), kind);
    t.like(await published(`${kind}.schema.json`), { $id: `${kind}.schema.json`, title: kind });
  }
  t.true(index.includes('{"$ref":"machine.schema.json"}'));
});

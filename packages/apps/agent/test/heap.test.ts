import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { output, temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { authority, rootDocument, volumeDocument } from './documents.ts';

const program = fileURLToPath(new URL('heap-of-configurator.ts', import.meta.url));

test('no secret of a configuration is in the heap, be it active, persisted or of before', async (t) => {
  t.timeout(120_000);
  const directory = await temporaryDirectory(t);
  const ca = await authority();
  const [snapshot, state, kept, one, two] = ['snapshot', 'state', 'kept', 'one.yaml', 'two.yaml'].map(
    (name) => join(directory, name),
  ) as [string, string, string, string, string];
  // Behind what a snapshot shows of a text unless it is told otherwise.
  await writeFile(kept, `${'.'.repeat(4000)}kept-on-purpose`);
  const name = 'a-volume-with-a-long-name';
  for (const [file, passphrase] of [
    [one, 'passphrase-of-before'],
    [two, 'passphrase-of-today'],
  ] as const)
    await writeFile(file, rootDocument(ca) + volumeDocument({ name, passphrase }));
  const flags = ['--conditions=source', '--heap-snapshot-string-limit=1000000000'];
  await output([process.execPath, ...flags, program, snapshot, state, kept, one, two]);
  const heap = await readFile(snapshot, 'utf8');
  t.true(heap.includes('kept-on-purpose'));
  t.true(heap.includes(name));
  const key = ca.key.bytes.toString('base64').slice(40, 120);
  for (const secret of ['passphrase-of-before', 'passphrase-of-today', key]) t.false(heap.includes(secret));
});

import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { isZip, readZip } from '../src/index.ts';

const texts: Readonly<Record<string, string>> = {
  'a.json': '{"id": 1}'.repeat(500),
  'b.json': '',
  'below/ü.json': 'short',
};

/** An archive that zip has made. */
async function packed(t: ExecutionContext, ...options: readonly string[]): Promise<Uint8Array> {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'below'));
  for (const [name, text] of Object.entries(texts)) await writeFile(join(directory, name), text);
  execFileSync('zip', ['-q', '-r', ...options, 'x.zip', 'a.json', 'b.json', 'below'], { cwd: directory });
  return await readFile(join(directory, 'x.zip'));
}

const read = (bytes: Uint8Array): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...readZip(bytes, 'x.zip')].map(({ name, bytes: content }) => [name, Buffer.from(content).toString()]),
  );

test('files that zip has packed are there as they were: deflated, stored, and with large fields', async (t) => {
  for (const options of [[], ['-0'], ['-fz'], ['-fd']]) {
    const archive = await packed(t, ...options);
    t.true(isZip(archive));
    t.deepEqual(read(archive), texts, options.join());
  }
  const empty = Buffer.from('PK\u0005\u0006' + '\0'.repeat(18), 'latin1');
  t.deepEqual(read(empty), {});
});

test('an archive that is cut off anywhere, or has a byte that differs, gives what was packed or an error', async (t) => {
  for (const options of [[], ['-fz']]) {
    const archive = await packed(t, ...options);
    for (let length = 0; length < archive.length; length += 1)
      t.throws(() => read(archive.subarray(0, length)), { code: 'ERR_SBOM_INVALID', message: /^x\.zip: / });
    for (let at = 0; at < archive.length; at += 1) {
      const altered = Buffer.from(archive);
      altered[at] = (altered[at] ?? 0) ^ 0xff;
      let found: Readonly<Record<string, string>> | undefined;
      try {
        found = read(altered);
      } catch (error) {
        t.like(error, { code: 'ERR_SBOM_INVALID' });
      }
      // Names, times and rights are nobody's; contents are proven.
      for (const text of Object.values(found ?? {})) t.true(Object.values(texts).includes(text), `${at}`);
    }
  }
});

test('a file that says it is small and is not, or is larger than any record, is refused', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'bomb.json'), Buffer.alloc(65 * 2 ** 20));
  execFileSync('zip', ['-q', 'x.zip', 'bomb.json'], { cwd: directory });
  const archive = await readFile(join(directory, 'x.zip'));
  t.true(archive.length < 2 ** 20);
  t.throws(() => read(archive), { code: 'ERR_SBOM_INVALID' });
  const central = archive.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
  archive.writeUInt32LE(1000, central + 24);
  t.throws(() => read(archive), { code: 'ERR_SBOM_INVALID' });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { checkConfig } from '../src/check-config.ts';
import { parseOptions } from '../src/options.ts';
import { authority, rootDocument, volumeDocument } from './documents.ts';

async function check(t: ExecutionContext, content: string | Uint8Array) {
  const file = join(await temporaryDirectory(t), 'node.yaml');
  await writeFile(file, content);
  return { file, ...(await checkPath(file)) };
}

async function checkPath(path: string) {
  const [out, error]: [string[], string[]] = [[], []];
  const code = await checkConfig(path, { out: (line) => out.push(line), error: (line) => error.push(line) });
  return { code, out, error };
}

test('a configuration that can be used is said to be, and ends with 0', async (t) => {
  const { code, out, file } = await check(t, rootDocument(await authority()));
  t.is(code, 0);
  t.deepEqual(out, [`${file}: the configuration can be used`]);
});

test('what is wrong is said with its place, and no secret of it', async (t) => {
  const marker = 'marker-passphrase-1f2e';
  const text = rootDocument(await authority()) + volumeDocument({ name: 'Wrong Name', passphrase: marker });
  const { code, out, error, file } = await check(t, text);
  t.is(code, 1);
  t.deepEqual(out, []);
  t.true(error.length > 0 && error.every((line) => line.startsWith(`${file}:`)), error.join('\n'));
  t.false(error.join('\n').includes(marker));
});

test('an authority that can not issue is found, as the node could not be reached', async (t) => {
  const [ca, other] = [await authority(), await authority()];
  const { code, error } = await check(t, rootDocument({ crt: ca.crt, key: other.key }));
  t.is(code, 1, error.join('\n'));
});

test('bytes that are no text, escapes in names, and files that are none are told, and no crash', async (t) => {
  t.is((await check(t, Buffer.of(0xff, 0xfe))).code, 1);
  const { code, error } = await check(t, 'version: v1alpha1\n"a\\e[2Jb": 1\n');
  t.is(code, 1);
  t.false(error.join('').includes('\u001b'));
  const directory = await temporaryDirectory(t);
  t.regex((await checkPath(directory)).error.join(), /can not be read \(EISDIR\)$/u);
  t.regex((await checkPath(join(directory, 'none'))).error.join(), /can not be read \(ENOENT\)$/u);
});

test('the flag names the file', (t) => {
  t.is(parseOptions(['--check-config', 'a.yaml']).checkConfig, 'a.yaml');
  t.is(parseOptions([]).checkConfig, undefined);
});

import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';

import { releaseVersion } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { asOneFile, bundleClient } from '../src/client-bundle.ts';
import { checkout } from '../src/paths.ts';

const made = bundleClient();

type Ended = { readonly code: number; readonly out: string; readonly error: string };

async function run(file: string, args: readonly string[], options: readonly string[] = []): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const env = { PATH: dirname(execPath), HOME: dirname(file) };
  execFile(execPath, [...options, file, ...args], { env }, (failure, out, error) =>
    resolve({ code: failure === null ? 0 : Number(failure.code), out, error }),
  );
  return await promise;
}

async function written(t: ExecutionContext): Promise<string> {
  t.timeout(60_000);
  const file = join(await temporaryDirectory(t), 'osctl-linux-amd64');
  await writeFile(file, await made);
  await chmod(file, 0o755);
  return file;
}

test('osctl is one file that runs wherever it is, by its first line and by another name', async (t) => {
  const file = await written(t);
  const expected = `Client: ${releaseVersion}\n`;
  const { promise, resolve } = Promise.withResolvers<string>();
  const env = { PATH: dirname(execPath) };
  execFile(file, ['version', '--client', '--short'], { env }, (_, out, error) => resolve(out + error));
  t.is(await promise, expected);
  // Beside a package of ES modules a file without an extension is one, too.
  await writeFile(join(dirname(file), 'package.json'), '{"type": "module"}');
  await mkdir(join(dirname(file), 'bin'));
  await symlink(file, join(dirname(file), 'bin', 'osctl'));
  for (const path of [file, join(dirname(file), 'bin', 'osctl')])
    t.deepEqual(await run(path, ['version', '--client', '--short']), { code: 0, out: expected, error: '' });
});

test('an older Node.js is refused with one line', async (t) => {
  const file = await written(t);
  const old = join(dirname(file), 'old.cjs');
  await writeFile(old, "Object.defineProperty(process.versions, 'node', { value: '22.13.1' });");
  const { code, out, error } = await run(file, ['version'], ['--require', old]);
  t.deepEqual([code, out], [1, '']);
  t.regex(error, /^osctl needs Node\.js 24 or newer, and this is v[\d.]+: install a newer one\n$/);
});

test('what takes native code or programs beside it is refused in words', async (t) => {
  const file = await written(t);
  t.deepEqual(await run(file, ['cluster', 'create', 'vm', '--name', 'x']), {
    code: 2,
    out: '',
    error:
      'osctl: cluster is not in osctl as one file: take osctl of the package @nodecore/osctl, or of a checkout\n',
  });
  const snapshot = join(dirname(file), 'snapshot.db');
  await writeFile(snapshot, Buffer.alloc(65_536));
  const { code, error } = await run(file, ['kvstore', 'verify', snapshot]);
  t.not(code, 0);
  t.regex(
    error,
    /^osctl: this takes native code, which a program of one file does not have: .*NODECORE_NATIVE\n$/,
  );
});

test('every part of it is as strict as its modules', async (t) => {
  t.timeout(60_000);
  const text = await made;
  const places = JSON.parse(/const places = (.*);$/mu.exec(text)?.[1] ?? '{}') as Record<
    string,
    [number, number]
  >;
  const end = text.lastIndexOf('*/');
  t.true(Object.keys(places).length > 100);
  for (const [name, [from]] of Object.entries(places))
    t.true(text.slice(end - from).startsWith('\n"use strict";'), name);
});

test('osctl is the same wherever it is made, in ASCII, and names no place of the checkout', async (t) => {
  t.timeout(60_000);
  const text = await made;
  t.is(await bundleClient(), text);
  t.notRegex(text, /[\u0080-\uffff]/u);
  t.false(text.includes(checkout));
});

test('parts are what they were, also where they have the end of a comment', async (t) => {
  const file = join(await temporaryDirectory(t), 'parts.js');
  const start = await readFile(new URL('../src/client-start.js', import.meta.url), 'utf8');
  const parts = new Map([
    ['other.js', "exports.found = ['*/', /a*/.test('b'), `*/µ`, '*\x01/ \x01\x02 \x01\x01'];"],
    [
      'osctl.js',
      `process.stdout.write(JSON.stringify([require('./other.js').found, require('node:path').sep]));`,
    ],
  ]);
  await writeFile(file, `${asOneFile(start, parts)}\n`); // as an editor leaves it
  t.deepEqual(await run(file, []), {
    code: 0,
    out: String.raw`[["*/",true,"*/µ","*\u0001/ \u0001\u0002 \u0001\u0001"],"/"]`,
    error: '',
  });
});

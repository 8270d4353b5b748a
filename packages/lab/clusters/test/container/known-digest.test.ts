import { createHash } from 'node:crypto';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { knownDigest } from '../../src/container/known-digest.ts';

const { signal } = new AbortController();
const whole = { offset: 2, size: 3 };

/** A program of this computer's: nobody has changed it just now. */
const settled = process.execPath;

async function memoryOf(t: ExecutionContext): Promise<string> {
  return join(await temporaryDirectory(t), 'cache', 'digests');
}

async function files(memory: string): Promise<readonly string[]> {
  return (await readdir(memory).catch(() => [])).map((name) => join(memory, name));
}

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

test('a part of a file that has not changed is read once, and each part is its own', async (t) => {
  const memory = await memoryOf(t);
  const digest = sha256((await readFile(settled)).subarray(2, 5));
  t.is(await knownDigest(settled, whole, memory, signal), digest);
  const [place = '', ...more] = await files(memory);
  t.deepEqual(more, []);
  t.is(await readFile(place, 'utf8'), digest);
  const other = sha256('what is remembered is not read again');
  await writeFile(place, other);
  t.is(await knownDigest(settled, whole, memory, signal), other);
  t.not(await knownDigest(settled, { offset: 2, size: 4 }, memory, signal), other);
  t.is((await files(memory)).length, 2);
});

test('what a killed process has left half written is no digest', async (t) => {
  const memory = await memoryOf(t);
  const digest = await knownDigest(settled, whole, memory, signal);
  const [place = ''] = await files(memory);
  await writeFile(place, digest.slice(0, 40));
  t.is(await knownDigest(settled, whole, memory, signal), digest);
  t.is(await readFile(place, 'utf8'), digest);
});

test('a file that was changed a moment ago is read each time, also when its time is set back', async (t) => {
  const memory = await memoryOf(t);
  const path = join(await temporaryDirectory(t), 'image');
  for (const text of ['0-one', '0-two']) {
    await writeFile(path, text);
    await utimes(path, 1, 1);
    t.is(await knownDigest(path, whole, memory, signal), sha256(text.slice(2)));
  }
  t.deepEqual(await files(memory), []);
});

test('who gives up reads no further', async (t) => {
  const memory = await memoryOf(t);
  const enough = new AbortController();
  const pending = knownDigest(settled, { offset: 0, size: 64 << 20 }, memory, enough.signal);
  await setImmediate();
  enough.abort();
  await t.throwsAsync(pending, { name: 'AbortError' });
  t.deepEqual(await files(memory), []);
});

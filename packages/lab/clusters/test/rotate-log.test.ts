import { appendFile, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { earlierLogs, putAwayLog, rotateLog } from '../src/rotate-log.ts';

test('a log that is full goes on empty in the same file, and three of before are kept', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'console.log');
  await rotateLog(path, 4); // it is not there yet
  await using writer = await open(path, 'a');
  await writer.write('abc');
  await rotateLog(path, 4);
  t.deepEqual(await readdir(directory), ['console.log'], 'it is not full');
  for (const text of ['one', 'two', 'three', 'four']) {
    await writer.write(`${text}!`);
    await rotateLog(path, 4);
  }
  await writer.write('now');
  const text = async (name: string): Promise<string> => await readFile(join(directory, name), 'utf8');
  t.is(await text('console.log'), 'now', 'without a hole');
  t.is(await text('console.1.log'), 'four!');
  t.is(await text('console.3.log'), 'two!');
  t.is((await readdir(directory)).length, 4);
  await appendFile(path, Buffer.alloc(16 << 20));
  await writeFile(join(directory, 'console.1.log'), 'before');
  await rotateLog(path);
  t.is(await text('console.2.log'), 'before', 'the usual limit is 16 MiB');
});

test('a log that nobody writes to is put away as it is, and an empty one stays', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'console.log');
  await putAwayLog(path); // it is not there yet
  await writeFile(path, '');
  await putAwayLog(path);
  t.deepEqual(await readdir(directory), ['console.log']);
  await writeFile(path, 'before');
  const { ino } = await stat(path);
  await putAwayLog(path);
  t.deepEqual(await readdir(directory), ['console.1.log']);
  t.is((await stat(join(directory, 'console.1.log'))).ino, ino);
  t.deepEqual(
    earlierLogs(path),
    ['console.1.log', 'console.2.log', 'console.3.log', 'console.log.1'].map((name) => join(directory, name)),
  );
});

test('what a process that was killed has copied is kept when the log has it no more', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'console.log');
  const text = async (name: string): Promise<string> => await readFile(join(directory, name), 'utf8');
  await writeFile(path, 'a whole log');
  await writeFile(`${path}.part`, 'a who');
  await rotateLog(path);
  t.deepEqual(await readdir(directory), ['console.log'], 'it was killed while it copied');
  await writeFile(`${path}.part`, 'a whole log');
  await writeFile(path, 'now');
  await rotateLog(path);
  t.is(await text('console.1.log'), 'a whole log');
  t.is(await text('console.log'), 'now');
});

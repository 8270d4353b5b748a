import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import test from 'ava';

import { readNamed, UsageError } from '@nodecore/cli';
import { readWhole } from '../src/read-whole.ts';

const directory = await mkdtemp(join(tmpdir(), 'cli-read-'));
test.after.always(() => rm(directory, { recursive: true }));

test('a file, an empty one, one of the kernel without a size, and a pipe are read to their ends', async (t) => {
  const [file, pipe] = [join(directory, 'file'), join(directory, 'pipe')];
  const bytes = Buffer.alloc(200_000, 'ab');
  await writeFile(file, bytes);
  t.deepEqual(await readWhole(file), bytes);
  await truncate(file);
  t.is((await readWhole(file)).length, 0);
  t.deepEqual(await readWhole('/proc/self/cmdline'), await readFile('/proc/self/cmdline'));
  await promisify(execFile)('mkfifo', [pipe]);
  const [read] = await Promise.all([readWhole(pipe), writeFile(pipe, bytes)]);
  t.deepEqual(read, bytes);
});

test('a file that is changed while it is read is neither version, and refused', async (t) => {
  const file = join(directory, 'changing');
  await writeFile(file, 'a'.repeat(1000));
  for (const change of [
    () => appendFile(file, 'more'),
    () => writeFile(file, 'b'.repeat(1004)), // as long as before
  ])
    await t.throwsAsync(readWhole(file, change), {
      instanceOf: UsageError,
      message: `${file}: it was changed while it was read; give the command again`,
    });
  t.is((await readWhole(file)).length, 1004);
});

test('what never ends, or is far too long, is refused, and not for its content', async (t) => {
  const file = join(directory, 'large');
  await writeFile(file, '');
  await truncate(file, 1 << 30);
  for (const path of ['/dev/zero', file])
    await t.throwsAsync(readNamed(path, '-f'), {
      instanceOf: UsageError,
      message: `${path}: it is longer than 64 MiB`,
    });
});

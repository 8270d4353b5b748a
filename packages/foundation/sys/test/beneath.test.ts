import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { Beneath, SystemCallError } from '@nodecore/sys';

async function made(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'beneath-'));
  t.teardown(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, 'sys', 'net'), { recursive: true });
  await writeFile(join(directory, 'sys', 'net', 'forward'), '0\n');
  await writeFile(join(directory, 'outside'), 'untouched');
  return directory;
}

test('a file below the directory is read, and written without cutting it off', async (t) => {
  const directory = await made(t);
  const files = new Beneath(join(directory, 'sys'));
  t.is(await files.read('net/forward'), '0\n');
  await files.write('net/forward', '1');
  t.is(await readFile(join(directory, 'sys/net/forward'), 'utf8'), '1\n');
});

test('nothing outside is opened, by whatever name', async (t) => {
  const directory = await made(t);
  const files = new Beneath(join(directory, 'sys'), { followLinks: true });
  await symlink('../outside', join(directory, 'sys', 'up'));
  await symlink(join(directory, 'outside'), join(directory, 'sys', 'whole'));
  await symlink('/proc/self/cwd', join(directory, 'sys', 'magic'));
  for (const path of [
    '../outside',
    'net/../../outside',
    join(directory, 'outside'),
    'up',
    'whole',
    'magic/x',
  ]) {
    const error = await t.throwsAsync(files.write(path, 'x'), { instanceOf: SystemCallError }, path);
    t.is(error?.errno, 'EXDEV', path);
  }
  t.is(await readFile(join(directory, 'outside'), 'utf8'), 'untouched');
});

test('a link is followed only where that was asked for', async (t) => {
  const directory = await made(t);
  await symlink('net', join(directory, 'sys', 'alias'));
  const error = await t.throwsAsync(new Beneath(join(directory, 'sys')).read('alias/forward'), {
    instanceOf: SystemCallError,
  });
  t.is(error?.errno, 'ELOOP');
  t.is(await new Beneath(join(directory, 'sys'), { followLinks: true }).read('alias/forward'), '0\n');
});

test('what is no regular file, or not there, is told apart', async (t) => {
  const files = new Beneath(join(await made(t), 'sys'));
  const errnos = async (path: string): Promise<string | undefined> =>
    (await t.throwsAsync(files.read(path), { instanceOf: SystemCallError }, path))?.errno;
  t.is(await errnos('net'), 'EINVAL');
  t.is(await errnos('absent'), 'ENOENT');
  t.is(await errnos('net/forward\0/x'), 'EINVAL');
});

test.serial('no descriptor is left open, also after failures', async (t) => {
  const files = new Beneath(join(await made(t), 'sys'));
  await files.read('net/forward');
  const before = (await readdir('/proc/self/fd')).length;
  for (let i = 0; i < 20; i++) await files.read(i % 2 === 0 ? 'net/forward' : 'absent').catch(() => {});
  t.is((await readdir('/proc/self/fd')).length, before);
});

import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { Originals, OwnedFiles, type WantedFile } from '@nodecore/host';

/** Stands for /etc; every call of `files` is another process. */
async function etc(
  t: ExecutionContext,
): Promise<{ directory: string; record: string; files: () => OwnedFiles }> {
  const top = await mkdtemp(join(tmpdir(), 'etc-'));
  t.teardown(() => rm(top, { recursive: true }));
  const [directory, record] = [join(top, 'etc'), join(top, 'record.json')];
  await mkdir(directory);
  return { directory, record, files: () => new OwnedFiles(directory, new Originals(record)) };
}

const wanted = (files: Record<string, string>, mode = 0o644): Map<string, WantedFile> =>
  new Map(Object.entries(files).map(([path, text]) => [path, { mode, contents: Buffer.from(text) }]));

test('a file is written with its mode and its directories, and all of it goes again', async (t) => {
  const { directory, files, record } = await etc(t);
  const one = files();
  t.deepEqual(await one.apply(wanted({ 'a/b/c.conf': 'x' }, 0o666)), [
    { path: 'a/b/c.conf', error: undefined },
  ]);
  const { mode } = await stat(join(directory, 'a/b/c.conf'));
  t.is(mode & 0o7777, 0o666); // not what the umask leaves
  await one.apply(new Map());
  t.deepEqual(await readdir(directory), []);
  await t.throwsAsync(readFile(record), { code: 'ENOENT' });
});

test('what stood there comes back with its bytes and its mode, also by the next process', async (t) => {
  const { directory, files } = await etc(t);
  const bytes = Buffer.from([0, 255, 10, 128]);
  await writeFile(join(directory, 'motd'), bytes);
  await chmod(join(directory, 'motd'), 0o640);
  await symlink('../run/link', join(directory, 'link'));
  await files().apply(wanted({ motd: 'ours', link: 'ours' }));
  await files().apply(wanted({ motd: 'ours again', link: 'ours' }));
  t.is(await readFile(join(directory, 'motd'), 'utf8'), 'ours again');
  t.is(await readFile(join(directory, 'link'), 'utf8'), 'ours');
  t.deepEqual(await files().apply(new Map()), []);
  t.deepEqual(await readFile(join(directory, 'motd')), bytes);
  t.is((await stat(join(directory, 'motd'))).mode & 0o7777, 0o640);
  t.is(await readlink(join(directory, 'link')), '../run/link');
  t.deepEqual((await readdir(directory)).toSorted(), ['link', 'motd']);
});

test('no path leads through a link, and none outside', async (t) => {
  const { directory, files } = await etc(t);
  const outside = join(directory, '..', 'outside');
  await mkdir(outside);
  await symlink('../outside', join(directory, 'link'));
  const statuses = await files().apply(
    wanted({ 'link/x': '1', '../outside/x': '1', '/outside/x': '1', 'a//x': '1', './x': '1' }),
  );
  t.deepEqual(
    statuses.map(({ error }) => error?.code),
    ['ERR_HOST_OCCUPIED', 'ERR_HOST_NAME', 'ERR_HOST_NAME', 'ERR_HOST_NAME', 'ERR_HOST_NAME'],
  );
  t.deepEqual(await readdir(outside), []);
  t.deepEqual(await readdir(directory), ['link']);
});

test('a directory in its place stays, and the other files are written', async (t) => {
  const { directory, files } = await etc(t);
  await mkdir(join(directory, 'taken', 'inside'), { recursive: true });
  const statuses = await files().apply(wanted({ taken: '1', free: '2' }));
  t.is(statuses[0]?.error?.code, 'ERR_HOST_OCCUPIED');
  t.is(statuses[1]?.error, undefined);
  t.deepEqual(await readdir(join(directory, 'taken')), ['inside']);
  t.is(await readFile(join(directory, 'free'), 'utf8'), '2');
});

test('after a crash between any two steps the next process makes it so, or takes it back', async (t) => {
  // What the steps leave: the record; a directory; the part file; the file.
  const steps: readonly ((directory: string) => Promise<unknown>)[] = [
    () => Promise.resolve(),
    (directory) => mkdir(join(directory, 'a')),
    (directory) => writeFile(join(directory, 'a', 'x.part'), 'ha'),
    (directory) => writeFile(join(directory, 'a', 'x'), 'half'),
  ];
  for (let crash = 0; crash < steps.length; crash++) {
    for (const isWanted of [true, false]) {
      const { directory, record, files } = await etc(t);
      await writeFile(record, JSON.stringify({ 'a/x': JSON.stringify({ kind: 'absent', made: ['a'] }) }));
      for (const step of steps.slice(0, crash + 1)) await step(directory);
      if (crash === 3) await rm(join(directory, 'a', 'x.part'));
      const statuses = await files().apply(isWanted ? wanted({ 'a/x': 'whole' }) : new Map());
      t.deepEqual(
        statuses.filter(({ error }) => error !== undefined),
        [],
      );
      if (isWanted) t.is(await readFile(join(directory, 'a', 'x'), 'utf8'), 'whole');
      else t.deepEqual(await readdir(directory), [], `step ${crash}`);
    }
  }
});

test('a directory that somebody else uses by now stays', async (t) => {
  const { directory, files } = await etc(t);
  await files().apply(wanted({ 'a/x': '1' }));
  await writeFile(join(directory, 'a', 'theirs'), '');
  await files().apply(new Map());
  t.deepEqual(await readdir(join(directory, 'a')), ['theirs']);
});

test('a file that was changed beside us is made right, one that is right is left alone', async (t) => {
  const { directory, files } = await etc(t);
  const one = files();
  await one.apply(wanted({ x: 'ours' }));
  const { ino } = await stat(join(directory, 'x'));
  await one.apply(wanted({ x: 'ours' }));
  t.is((await stat(join(directory, 'x'))).ino, ino);
  await writeFile(join(directory, 'x'), 'theirs');
  await one.apply(wanted({ x: 'ours' }));
  t.is(await readFile(join(directory, 'x'), 'utf8'), 'ours');
});

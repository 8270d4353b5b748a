import { access, chmod, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { makeDirectory } from '../src/index.ts';

async function temporaryDirectory(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true }));
  return directory;
}

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('a directory is made with those on the way to it, and one that is there stays as it is', async (t) => {
  const own = await temporaryDirectory(t);
  const path = join(own, 'one', 'two', 'three');
  t.is(await makeDirectory(path), join(own, 'one'));
  for (const each of ['one', 'one/two', 'one/two/three']) t.is(await modeOf(join(own, each)), 0o700, each);
  t.is(await makeDirectory(path), undefined);
  t.is(await makeDirectory(join(own, 'four'), { mode: 0o750 }), join(own, 'four'));
  t.is(await modeOf(join(own, 'four')), 0o750 & ~process.umask());
  await chmod(path, 0o755);
  await makeDirectory(path);
  t.is(await modeOf(path), 0o755);
  await symlink(path, join(own, 'link'));
  t.is(await makeDirectory(join(own, 'link', 'four', '..', 'five/')), join(own, 'link', 'five'));
  t.is(await makeDirectory('/'), undefined);
});

test('where no directory can be made that ends with the error of the system', async (t) => {
  const own = await temporaryDirectory(t);
  await writeFile(join(own, 'file'), '');
  await symlink(join(own, 'nowhere'), join(own, 'dangling'));
  const cases: [string, string][] = [
    ['/proc/nodecore', 'ENOENT'],
    ['/proc/nodecore/below/it', 'ENOENT'],
    [join(own, 'file'), 'EEXIST'],
    [join(own, 'file', 'below'), 'ENOTDIR'],
    [join(own, 'file', 'far', 'below'), 'ENOTDIR'],
    [join(own, 'dangling'), 'EEXIST'],
    [`${own}/a\0b`, 'ERR_INVALID_ARG_VALUE'],
  ];
  for (const [path, code] of cases) await t.throwsAsync(makeDirectory(path), { code }, path);
  await t.throwsAsync(access(join(own, 'nowhere')));
});

test('many that make the same directory at once all find it', async (t) => {
  const own = await temporaryDirectory(t);
  for (let round = 0; round < 20; round += 1) {
    const path = join(own, 'a', 'b', 'c');
    const all = await Promise.all(Array.from({ length: 8 }, () => makeDirectory(path)));
    t.true(all.includes(join(own, 'a')));
    t.true((await stat(path)).isDirectory());
    await rm(join(own, 'a'), { recursive: true });
  }
});

import { spawnSync } from 'node:child_process';
import { mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { temporaryDirectory } from '@nodecore/testkit';

import { readElf } from '../src/elf.ts';
import { librariesOf } from '../src/libraries.ts';
import { checkout } from '../src/paths.ts';
import { makeSquashfs } from '../src/squashfs.ts';
import { Tree } from '../src/tree.ts';

test('two squashfs of the same files are the same bytes, whatever the umask and the time are', async (t) => {
  const directory = await temporaryDirectory(t);
  const make = async (name: string, mask: number): Promise<Buffer> => {
    const before = process.umask(mask);
    t.teardown(() => process.umask(before));
    const tree = new Tree(join(directory, name));
    await tree.write('/etc/hosts', '127.0.0.1 localhost\n', 'configuration');
    await tree.copy('/usr/bin/env', '/usr/bin/env', 'programs');
    await tree.link('/bin', 'usr/bin');
    const file = join(directory, `${name}.sqsh`);
    await makeSquashfs(tree.directory, file);
    process.umask(before);
    return await readFile(file);
  };
  const first = await make('first', 0o022);
  const second = await make('second', 0o077);
  t.true(first.equals(second));
  const { mode } = await stat(join(directory, 'second', 'etc', 'hosts'));
  t.is(mode & 0o777, 0o644);
});

test('the libraries of a program are those that ldd finds, with the dynamic linker', async (t) => {
  const elf = await readElf('/bin/cat');
  t.true(elf?.needed.includes('libc.so.6'));
  t.regex(elf?.interpreter ?? '', /^\/lib/);
  t.is(await readElf('/etc/hosts'), undefined);
  const found = await librariesOf(['/usr/sbin/mkfs.xfs'], []);
  const { stdout } = spawnSync('ldd', ['/usr/sbin/mkfs.xfs'], { encoding: 'utf8' });
  const expected = stdout
    .split('\n')
    .flatMap((line) => /^\s*(?:.*\/)?(\S+?\.so\S*) /.exec(line)?.[1] ?? [])
    .filter((soname) => !soname.startsWith('linux-vdso'));
  t.deepEqual([...found.keys()].toSorted(), expected.toSorted());
  await t.throwsAsync(librariesOf([], ['libnothing.so.7']), { code: 'ERR_BUILD_MISSING' });
});

test('a tree knows the files that it was made of: where links of this machine lead, and what is of this checkout by its name', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'file'), 'x');
  await symlink('file', join(directory, 'link'));
  const tree = new Tree(join(directory, 'tree'));
  await mkdir(tree.directory);
  await tree.copy(join(directory, 'link'), '/a', 'test');
  await tree.copy(join(checkout, 'LICENSE'), '/b', 'test');
  tree.note(['/elsewhere/module.js']);
  await tree.write('/c', 'text', 'test');
  t.deepEqual(tree.sources, [
    await realpath(join(directory, 'file')),
    join(checkout, 'LICENSE'),
    '/elsewhere/module.js',
  ]);
});

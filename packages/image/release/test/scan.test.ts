import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { temporaryDirectory } from '@nodecore/testkit';

import { scanTree } from '../src/index.ts';
import { Tree } from '../src/tree.ts';

test('a root with a shell, a script, a set-user-ID program or a file for everybody is refused', async (t) => {
  const directory = await temporaryDirectory(t);
  const tree = new Tree(directory);
  await tree.write('/usr/lib/os-release', 'ID=nodeos\n', 'configuration');
  await tree.copy(process.execPath, '/usr/bin/node', 'node');
  await tree.link('/usr/sbin/modprobe', '../bin/kmod');
  t.deepEqual(await scanTree(directory), []);

  await tree.write('/usr/bin/busybox', '', 'shell');
  await symlink('busybox', tree.at('/usr/bin/sh'));
  for (const [name, mode] of [
    ['run', 0o755],
    ['su', 0o4755],
    ['open', 0o666],
  ] as const) {
    await writeFile(join(directory, name), name === 'run' ? '#!/usr/bin/node\n' : '\x7fELF');
    await chmod(join(directory, name), mode);
  }
  t.deepEqual((await scanTree(directory)).toSorted(), [
    '/open may be written by everybody',
    '/run is a script',
    '/su changes who runs it (set-user-ID or set-group-ID)',
    '/usr/bin/busybox has the name of an interpreter',
    '/usr/bin/sh has the name of an interpreter',
  ]);
});

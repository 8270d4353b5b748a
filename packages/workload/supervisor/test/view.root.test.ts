import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findProgram, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { printedBy, scene, until } from './supervised.ts';

testWith(root, program('busybox'))(
  'a program with a root of its own sees that and what is laid into it, and no link leads out of it',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const [tree, source] = [join(directory, 'root'), join(directory, 'source')];
    await mkdir(join(tree, 'etc'), { recursive: true });
    await copyFile(findProgram('busybox') ?? '', join(tree, 'busybox'));
    await writeFile(join(tree, 'etc/conf'), 'as it came\n');
    await symlink('/etc', join(tree, 'link'));
    await writeFile(source, 'as it is wanted\n');
    const one = await scene(t);
    const script = 'busybox cat /etc/conf; echo x > /etc/conf; busybox ls /';
    await one.supervisor.define({
      id: 'a',
      program: {
        argv: ['/busybox', 'sh', '-c', script],
        environment: { PATH: '/' },
        root: tree,
        binds: [{ source, target: '/link/conf', readOnly: true }],
      },
      restart: 'once',
    });
    await until(one, 'a', ({ state }) => state === 'Finished' || state === 'Failed');
    const printed = await printedBy(one, 'a');
    t.regex(printed, /^as it is wanted\n/u);
    t.regex(printed, /Read-only file system/u);
    t.regex(printed, /\nbusybox\netc\nlink\n$/u);
  },
);

import { execFile } from 'node:child_process';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { codeOf } from '@nodecore/sys';
import { root, testWith } from '@nodecore/testkit';

import { FactoryError, startFactory } from '../src/index.ts';
import { factoryOptions } from './running-factory.ts';

const run = promisify(execFile);

testWith(root)(
  'a factory that a full disk keeps from its start says which file has no room, and starts when there is room',
  async (t) => {
    const { directory, ...options } = await factoryOptions(t);
    const refused = new Set<string>();
    for (let pages = 1; pages <= 18; pages += 1) {
      const storage = join(directory, `small-${pages}`);
      await mkdir(storage);
      await run('mount', ['-t', 'tmpfs', '-o', `size=${pages * 4}k`, 'none', storage]);
      t.teardown(() => run('umount', ['--lazy', storage]));
      await writeFile(join(storage, 'other'), Buffer.alloc(4_096));
      const key = join(storage, 'installer.key');
      try {
        await (await startFactory({ ...options, storage })).close();
        refused.add('none');
        continue;
      } catch (error) {
        t.true(error instanceof FactoryError && error.code === 'ERR_FACTORY_SETUP', String(error));
        const [, file] = /\/([^/]+): no room on its disk$/.exec(String(error)) ?? [];
        refused.add(file ?? String(error));
      }
      t.is(await stat(key).then(() => 'there', codeOf), 'ENOENT', 'no half of a key');
      await run('mount', ['-o', 'remount,size=8m', storage]);
      await (await startFactory({ ...options, storage })).close();
      t.true((await stat(key)).size > 0);
    }
    t.deepEqual([...refused].sort(), ['installer.key', 'none', 'schematics.sqlite']);
  },
);

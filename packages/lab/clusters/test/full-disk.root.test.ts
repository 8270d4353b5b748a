import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { output, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { changeState, ClusterDirectory, destroyCluster, makePlan } from '../src/index.ts';
import { tinyRequest } from './requests.ts';

testWith(root)(
  'a cluster on a full disk is destroyed, and what can not be written names its file',
  async (t) => {
    const disk = join(await temporaryDirectory(t), 'disk');
    await mkdir(disk);
    await output(['mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', disk]);
    t.teardown(() => output(['umount', disk]));
    const state = join(disk, 'clusters');
    const directory = new ClusterDirectory(state, 'one');
    await directory.make();
    await directory.store(makePlan(tinyRequest(disk), '0'.repeat(32)));
    await changeState(directory, { phase: 'running', ready: true });
    await using file = await open(join(directory.path, 'console.log'), 'w');
    await t.throwsAsync(file.writeFile(Buffer.alloc(2 ** 20)), { code: 'ENOSPC' });
    await t.throwsAsync(changeState(directory, { phase: 'stopped' }), {
      code: 'ENOSPC',
      message: /write '.*state\.yaml\.part'$/,
    });
    await destroyCluster(directory);
    t.deepEqual(await readdir(state), []);
  },
);

testWith(root)('two processes that destroy a cluster at once both find it gone', async (t) => {
  const directory = new ClusterDirectory(await temporaryDirectory(t), 'one');
  await directory.make();
  await directory.store(makePlan(tinyRequest(directory.path), '0'.repeat(32)));
  await Promise.all([destroyCluster(directory), destroyCluster(directory)]);
  t.false(await directory.exists());
});

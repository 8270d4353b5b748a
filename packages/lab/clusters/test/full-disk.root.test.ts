import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { output, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { changeState, ClusterDirectory, destroyCluster, makePlan, startKeeper } from '../src/index.ts';
import { processesOf } from './processes-of.ts';
import { tinyRequest } from './requests.ts';

/** A cluster that is planned, on a disk of its own that is full. */
async function onFullDisk(t: ExecutionContext): Promise<ClusterDirectory> {
  const disk = join(await temporaryDirectory(t), 'disk');
  await mkdir(disk);
  await output(['mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', disk]);
  t.teardown(() => output(['umount', disk]));
  const directory = new ClusterDirectory(join(disk, 'clusters'), 'one');
  await directory.make();
  await directory.store(makePlan(tinyRequest(disk), '0'.repeat(32)));
  await changeState(directory, { phase: 'running', ready: true });
  await using file = await open(join(directory.path, 'console.log'), 'w');
  await t.throwsAsync(file.writeFile(Buffer.alloc(2 ** 20)), { code: 'ENOSPC' });
  return directory;
}

testWith(root)(
  'a cluster on a full disk is destroyed, and what can not be written names its file',
  async (t) => {
    const directory = await onFullDisk(t);
    await t.throwsAsync(changeState(directory, { phase: 'stopped' }), {
      code: 'ENOSPC',
      message: /write '.*state\.yaml\.part'$/,
    });
    await destroyCluster(directory);
    t.deepEqual(await readdir(join(directory.path, '..')), []);
  },
);

testWith(root)('a keeper that can not be written down on a full disk ends', async (t) => {
  const directory = await onFullDisk(t);
  await t.throwsAsync(startKeeper(directory, directory.path), {
    code: 'ENOSPC',
    message: /write '.*keeper\.json\.part'$/,
  });
  while ((await processesOf(directory.path)).length > 0) await setTimeout(20);
  t.pass();
});

testWith(root)('two processes that destroy a cluster at once both find it gone', async (t) => {
  const directory = new ClusterDirectory(await temporaryDirectory(t), 'one');
  await directory.make();
  await directory.store(makePlan(tinyRequest(directory.path), '0'.repeat(32)));
  await Promise.all([destroyCluster(directory), destroyCluster(directory)]);
  t.false(await directory.exists());
});

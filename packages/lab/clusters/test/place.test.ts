import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { identityOf, isRunning } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import {
  changeState,
  ClusterDirectory,
  type ClusterPlan,
  destroyCluster,
  endKeeper,
  keepCluster,
  runningKeeper,
  startCluster,
  startKeeper,
  stopCluster,
} from '../src/index.ts';

/** A cluster that was made, whose keeper is a process that does nothing. */
async function made(t: ExecutionContext, state: string) {
  const directory = new ClusterDirectory(state, 'one');
  await directory.make();
  await directory.store({ layout: 1, nodes: [] } as unknown as ClusterPlan);
  await changeState(directory, { phase: 'running', ready: true });
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const keeper = identityOf(child.pid ?? 0)!;
  await writeFile(join(directory.path, 'keeper.json'), JSON.stringify(keeper));
  return { directory, keeper };
}

test('a copy of a cluster has neither its keeper nor its network, and goes without them', async (t) => {
  const parent = await temporaryDirectory(t);
  const { directory, keeper } = await made(t, join(parent, 'original'));
  t.deepEqual(await runningKeeper(directory), keeper);
  await cp(join(parent, 'original'), join(parent, 'copy'), { recursive: true });
  const copy = new ClusterDirectory(join(parent, 'copy'), 'one');
  t.is(await runningKeeper(copy), undefined);
  t.false(await keepCluster(copy, parent));
  for (const work of [
    startKeeper(copy, parent),
    startCluster(copy, parent),
    stopCluster(copy, parent),
    copy.store({ layout: 1, nodes: [] } as unknown as ClusterPlan),
  ])
    await t.throwsAsync(work, {
      code: 'ERR_CLUSTER_STATE',
      message: /copy\/one is a copy of .*original\/one/,
    });
  await endKeeper(copy);
  await destroyCluster(copy);
  t.false(await copy.exists());
  t.true(isRunning(keeper));
  t.deepEqual(await runningKeeper(directory), keeper);
});

test('a cluster that was moved is the same one, and so is one whose original is gone', async (t) => {
  const parent = await temporaryDirectory(t);
  const { directory, keeper } = await made(t, join(parent, 'before'));
  await cp(join(parent, 'before'), join(parent, 'copy'), { recursive: true });
  await rename(join(parent, 'before'), join(parent, 'after'));
  t.false(await directory.exists());
  for (const name of ['after', 'copy']) {
    const here = new ClusterDirectory(join(parent, name), 'one');
    t.deepEqual(await runningKeeper(here), keeper, name);
    await here.store({ layout: 1, nodes: [] } as unknown as ClusterPlan);
  }
  t.true((await stat(join(parent, 'copy', 'one', 'place.json'))).isFile());
});

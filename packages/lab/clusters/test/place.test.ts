import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  watch,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
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
  planCluster,
  runningKeeper,
  startCluster,
  startKeeper,
  stopCluster,
} from '../src/index.ts';
import { tinyRequest } from './requests.ts';

/** A cluster that was made, whose keeper is a process that does nothing. */
async function made(t: ExecutionContext, state: string) {
  const directory = new ClusterDirectory(state, 'one');
  await directory.make();
  await directory.store({ layout: 1, nodes: [], request: {} } as unknown as ClusterPlan);
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
  const config = join(parent, 'config'); // whoever opens it fails
  await writeFile(config, '[');
  await changeState(directory, { contexts: [{ file: config, context: 'one', caFingerprint: '' }] });
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

test('a directory that is no cluster’s is neither destroyed nor made one', async (t) => {
  const parent = await temporaryDirectory(t);
  const theirs = new ClusterDirectory(parent, 'one');
  await mkdir(join(theirs.path, 'nodes', '1'), { recursive: true });
  await writeFile(join(theirs.path, 'nodes', '1', 'thesis'), 'three years');
  await symlink(theirs.path, join(parent, 'two'));
  for (const name of ['one', 'two']) {
    const directory = new ClusterDirectory(parent, name);
    for (const force of [false, true])
      await t.throwsAsync(destroyCluster(directory, { force }), {
        code: 'ERR_CLUSTER_STATE',
        message: /has "nodes" in it and no plan: it is no directory of a cluster/,
      });
    await t.throwsAsync(planCluster({ ...tinyRequest(parent), name }, parent), { code: 'ERR_CLUSTER_STATE' });
  }
  t.deepEqual(await readdir(theirs.path), ['nodes']);
  t.is(await readFile(join(theirs.path, 'nodes', '1', 'thesis'), 'utf8'), 'three years');
});

test('a cluster that was only begun, and one that is half gone, are destroyed', async (t) => {
  const parent = await temporaryDirectory(t);
  const directory = new ClusterDirectory(parent, 'one');
  await directory.make();
  await destroyCluster(directory);
  t.false(await directory.exists());
  for (const gone of ['plan.json', 'place.json']) {
    const { directory: half, keeper } = await made(t, parent);
    await rm(join(half.path, gone));
    await writeFile(join(half.path, 'what else it has'), '');
    await destroyCluster(half);
    t.false(await half.exists());
    t.false(isRunning(keeper));
  }
});

test('what says that a copy is one goes last: when it is half gone its original’s keeper is still not ended', async (t) => {
  const parent = await temporaryDirectory(t);
  const { keeper } = await made(t, join(parent, 'original'));
  await cp(join(parent, 'original'), join(parent, 'copy'), { recursive: true });
  const copy = new ClusterDirectory(join(parent, 'copy'), 'one');
  const gone: (string | null)[] = [];
  const watched = async (): Promise<void> => {
    for await (const { filename } of watch(copy.path)) {
      gone.push(filename);
      if (filename === 'place.json') return;
    }
  };
  const watching = watched();
  await destroyCluster(copy);
  await watching;
  t.deepEqual(gone.slice(-2), ['plan.json', 'place.json']);
  t.true(gone.includes('keeper.json'));
  t.true(isRunning(keeper));
});

test('logs are saved to no device and to no place that goes with the cluster, and it stays', async (t) => {
  const { directory } = await made(t, await temporaryDirectory(t));
  const path = join(directory.path, '..', 'socket'); // as good as /dev/null, and nobody else's
  const socket = createServer();
  socket.listen(path);
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  for (const [logsArchive, message] of [
    [path, /is a device, a pipe or a socket/],
    [join(directory.path, 'nodes', 'logs.tar.gz'), /goes with the cluster/],
  ] as const)
    await t.throwsAsync(destroyCluster(directory, { logsArchive }), { code: 'ERR_CLUSTER_REQUEST', message });
  t.true((await lstat(path)).isSocket());
  t.true(await directory.exists());
});

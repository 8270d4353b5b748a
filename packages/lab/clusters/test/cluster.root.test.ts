import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loadOsconfig } from '@nodecore/api';
import { Namespace } from '@nodecore/lan';
import { identityOf, isRunning } from '@nodecore/sys';
import { createCA, issueClient } from '@nodecore/pki';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { tinyMachine } from '../../machine/test/guests.ts';
import {
  callKeeper,
  changeState,
  ClusterDirectory,
  type ClusterPlan,
  destroyCluster,
  endKeeper,
  mergeContext,
  planCluster,
  runningKeeper,
  showCluster,
  startKeeper,
} from '../src/index.ts';
import { namespaceOf, tinyRequest } from './requests.ts';

const all = testWith(root, program('qemu-system-x86_64'), program('dnsmasq'));

type Planned = { readonly directory: ClusterDirectory; readonly plan: ClusterPlan; readonly cache: string };

/** A planned cluster of two machines whose whole software is a few instructions. */
async function planned(
  t: ExecutionContext,
  guest: 'deaf' | 'resetting' | 'obedient' = 'deaf',
): Promise<Planned> {
  const home = await temporaryDirectory(t);
  await tinyMachine(home, guest);
  const request = tinyRequest(home);
  await using cluster = await planCluster(request, join(home, 'clusters'));
  const { directory, plan } = cluster;
  t.teardown(async () => {
    if (await directory.exists()) await destroyCluster(directory);
  });
  return { directory, plan, cache: join(home, 'cache') };
}

function imageOf({ plan }: Planned): string {
  const { image } = plan.request;
  return 'path' in image ? image.path : '';
}

async function someContext() {
  const ca = await createCA('test');
  const { crt, key } = await issueClient(ca, { roles: ['os:admin'] });
  return { endpoints: ['127.0.0.1'], nodes: [], ca: ca.crt, crt, key };
}

async function nothingLeft(t: ExecutionContext, { directory, plan }: Planned): Promise<void> {
  t.false(existsSync(directory.path));
  t.false(await new Namespace(namespaceOf(plan)).exists());
}

all('a cluster runs, outlives its killed keeper, and is taken away whole', async (t) => {
  const cluster = await planned(t);
  const { directory, cache } = cluster;
  await startKeeper(directory, cache);
  const said: string[] = [];
  await callKeeper(directory, { method: 'create' }, { onStatus: (line) => said.push(line) });
  t.is(said.filter((line) => line.includes(' is on, ')).length, 2);
  const states = async (): Promise<readonly string[]> =>
    (await showCluster(directory)).nodes.map(({ state }) => state);
  t.deepEqual(await states(), ['running', 'running']);
  await callKeeper(directory, { method: 'reboot' });
  t.deepEqual(await states(), ['running', 'running']);
  await changeState(directory, { ready: true });
  await t.throwsAsync(planCluster(cluster.plan.request, join(directory.path, '..')), {
    code: 'ERR_CLUSTER_EXISTS',
    message: /is there already/,
  });
  await endKeeper(directory); // SIGKILL
  t.like(await showCluster(directory), { kept: false, phase: 'running' });
  t.deepEqual(await states(), ['on', 'on']);
  const inside = await new Namespace(namespaceOf(cluster.plan)).processes();
  t.true(inside.length >= 2);
  await destroyCluster(directory);
  t.deepEqual(
    inside.filter((pid) => identityOf(pid) !== undefined),
    [],
  );
  await nothingLeft(t, cluster);
  await t.throwsAsync(destroyCluster(directory), { code: 'ERR_CLUSTER_NOT_FOUND', message: /there is none/ });
});

all('whenever the keeper is killed while it creates, destroy leaves nothing', async (t) => {
  for (const step of [/^network/, /-controlplane-1 is on/, /-worker-1 is on/]) {
    const cluster = await planned(t);
    const { directory, cache } = cluster;
    await startKeeper(directory, cache);
    const reached = Promise.withResolvers<void>();
    const onStatus = (line: string): void => {
      if (step.test(line)) reached.resolve();
    };
    const created = callKeeper(directory, { method: 'create' }, { onStatus }).catch(() => {});
    await reached.promise;
    await endKeeper(directory);
    await created;
    await destroyCluster(directory);
    await nothingLeft(t, cluster);
  }
  const onlyPlanned = await planned(t);
  await destroyCluster(onlyPlanned.directory);
  await nothingLeft(t, onlyPlanned);
});

all('a guest that resets is switched on again', async (t) => {
  const { directory, cache } = await planned(t, 'resetting');
  await startKeeper(directory, cache);
  await callKeeper(directory, { method: 'create' });
  const starts = async (): Promise<number> => {
    const machines = (await callKeeper(directory, { method: 'reflect' })) as readonly { starts: number }[];
    return Math.min(...machines.map((machine) => machine.starts));
  };
  while ((await starts()) < 2);
  t.pass();
});

all(
  'an image that is not there fails creation with its reason, and destroy takes away the rest',
  async (t) => {
    const cluster = await planned(t);
    await writeFile(imageOf(cluster), Buffer.alloc(8 << 20)); // larger than the disk
    await startKeeper(cluster.directory, cluster.cache);
    await t.throwsAsync(callKeeper(cluster.directory, { method: 'create' }), { code: 'ERR_CLUSTER_IMAGE' });
    t.is((await showCluster(cluster.directory)).phase, 'failed');
    const keeper = await runningKeeper(cluster.directory);
    await destroyCluster(cluster.directory);
    t.true(keeper !== undefined && !isRunning(keeper));
    await nothingLeft(t, cluster);
  },
);

all('an image for other sectors than the disk has is told of before anything is made', async (t) => {
  const home = await temporaryDirectory(t);
  const table = Buffer.alloc(8 << 10);
  table.write('EFI PART', 4096);
  await writeFile(join(home, 'boot.disk'), table);
  const told = { code: 'ERR_CLUSTER_PREFLIGHT', message: /^the image has a table for sectors of 4096/ };
  await t.throwsAsync(planCluster(tinyRequest(home), join(home, 'clusters')), told);
  t.false(existsSync(join(home, 'clusters')));
});

all('a process that got the id of a keeper is not ended', async (t) => {
  const { directory } = await planned(t);
  const stranger = spawn('sleep', ['1000']);
  t.teardown(() => stranger.kill('SIGKILL'));
  await once(stranger, 'spawn');
  await writeFile(join(directory.path, 'keeper.json'), JSON.stringify({ pid: stranger.pid, startTime: '1' }));
  t.is(await runningKeeper(directory), undefined);
  await destroyCluster(directory);
  t.not(identityOf(stranger.pid ?? 0), undefined);
});

all('the contexts of a cluster go with it, and no other ones', async (t) => {
  const { directory } = await planned(t);
  const file = join(await temporaryDirectory(t), 'config');
  const location = { flag: file, env: {} };
  const loaded = await loadOsconfig({ ...location, create: true });
  loaded.osconfig.set(directory.name, await someContext()); // of somebody else, with the same name
  loaded.osconfig.use(directory.name);
  await writeFile(file, loaded.osconfig.encode());
  const before = await readFile(file, 'utf8');
  const merged = await mergeContext(directory, await someContext(), location);
  t.is(merged.context, `${directory.name}-1`);
  t.is((await loadOsconfig(location)).osconfig.current, merged.context);
  await destroyCluster(directory);
  t.is(await readFile(file, 'utf8'), before);
});

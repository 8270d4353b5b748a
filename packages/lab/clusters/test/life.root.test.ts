import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';

import { Namespace } from '@nodecore/lan';
import { identityOf } from '@nodecore/sys';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { tinyMachine } from '../../machine/test/guests.ts';
import {
  callKeeper,
  changeState,
  ClusterDirectory,
  destroyCluster,
  endKeeper,
  keepCluster,
  type KeptMachine,
  listClusters,
  planCluster,
  runningKeeper,
  showCluster,
  startCluster,
  startKeeper,
  stopCluster,
} from '../src/index.ts';
import { lockKeeping } from '../src/lock.ts';
import { processesOf } from './processes-of.ts';
import { namespaceOf, tinyRequest } from './requests.ts';

const all = testWith(root, program('qemu-system-x86_64'), program('dnsmasq'));

async function tinyHome(
  t: ExecutionContext,
  guest: 'deaf' | 'obedient',
): Promise<{ readonly home: string; readonly directory: ClusterDirectory; readonly cache: string }> {
  const home = await temporaryDirectory(t);
  await tinyMachine(home, guest);
  const directory = new ClusterDirectory(join(home, 'clusters'), tinyRequest(home).name);
  t.teardown(async () => {
    if (await directory.exists()) await destroyCluster(directory);
  });
  return { home, directory, cache: join(home, 'cache') };
}

/** The maker ends by itself, or is killed at the step. @returns the signal that ended it */
async function make(home: string, step: string): Promise<string | undefined> {
  const maker = join(import.meta.dirname, 'fixtures', 'maker.ts');
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  execFile(process.execPath, ['--conditions=source', maker, home, step], (error, _, stderr) => {
    if (error === null || typeof error.signal === 'string') resolve(error?.signal ?? undefined);
    else reject(new Error(stderr));
  });
  return await promise;
}

/** For the report of a test: what is left, by its words and its state. */
async function namesOf(pids: readonly number[]): Promise<readonly string[]> {
  return await Promise.all(
    pids.map(async (pid) => {
      const [words, state] = await Promise.all(['cmdline', 'stat'].map((file) => textOf(pid, file)));
      return `${pid} ${words?.replaceAll('\0', ' ')} ${state}`;
    }),
  );
}

async function textOf(pid: number, file: string): Promise<string> {
  return await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}

for (const step of ['planned', 'controlplane-1 is on', 'context']) {
  all(`create that is killed at "${step}" is shown, gone on with, and destroyed whole`, async (t) => {
    const { home, directory, cache } = await tinyHome(t, 'deaf');
    const before = await readdir('/run/netns').catch((): string[] => []);
    const at = step.includes('-1 is on') ? `${directory.name}-${step}` : step;
    t.is(await make(home, at), 'SIGKILL');
    const shown = await showCluster(directory);
    t.false(shown.ready);
    t.is(shown.nodes.length, 2);
    t.like((await listClusters(join(home, 'clusters')))[0], {
      name: directory.name,
      ready: false,
      machines: 2,
    });
    t.is(await make(home, ''), undefined, 'the same request goes on');
    const whole = await showCluster(directory);
    t.like(whole, { ready: true, phase: 'running', kept: true });
    t.deepEqual(
      whole.nodes.map(({ uuid }) => uuid),
      shown.nodes.map(({ uuid }) => uuid),
    );
    t.deepEqual(
      whole.nodes.map(({ state }) => state),
      ['running', 'running'],
    );
    t.is(await keepCluster(directory, cache), false);
    const namespace = namespaceOf(await directory.requirePlan());
    t.true((await processesOf(home)).length >= 3);
    await destroyCluster(directory);
    t.deepEqual(await namesOf(await processesOf(home)), []);
    t.false(existsSync(directory.path));
    t.false(await new Namespace(namespace).exists());
    const after = await readdir('/run/netns').catch((): string[] => []);
    t.deepEqual(
      after.filter((name) => !before.includes(name) && name === namespace),
      [],
    );
    t.notRegex(await readFile(join(home, 'config'), 'utf8'), new RegExp(directory.name));
    t.deepEqual((await readdir(home)).toSorted(), ['boot.disk', 'clusters', 'config']);
  });
}

all('create that is killed is destroyed whole without another', async (t) => {
  for (const step of ['keeper', 'network']) {
    const { home, directory } = await tinyHome(t, 'deaf');
    t.is(await make(home, step), 'SIGKILL');
    await destroyCluster(directory);
    t.deepEqual(await namesOf(await processesOf(home)), []);
    t.false(existsSync(directory.path));
  }
});

all('a network that was left half made is made anew', async (t) => {
  const { home, directory, cache } = await tinyHome(t, 'deaf');
  await using making = await planCluster(tinyRequest(home), join(home, 'clusters'));
  await new Namespace(namespaceOf(making.plan)).make(); // and no bridge
  await startKeeper(directory, cache);
  await callKeeper(directory, { method: 'create' });
  t.is((await showCluster(directory)).phase, 'running');
});

all('the logs of a cluster are saved with their last lines before they go, or it stays', async (t) => {
  const { home, directory, cache } = await tinyHome(t, 'obedient');
  await using making = await planCluster(tinyRequest(home), join(home, 'clusters'));
  await startKeeper(directory, cache);
  await callKeeper(directory, { method: 'create' });
  await saysR(directory, 1);
  await writeFile(join(directory.secrets, 'osconfig'), 'a secret');
  const nowhere = join(home, 'nowhere', 'logs.tar.gz');
  await t.throwsAsync(destroyCluster(directory, { logsArchive: nowhere }), {
    code: 'ERR_CLUSTER_REQUEST',
    message: /nowhere.*ENOENT/,
  });
  const machines = (await callKeeper(directory, { method: 'reflect' })) as readonly KeptMachine[];
  t.deepEqual(
    machines.map(({ state }) => state),
    ['running', 'running'],
    'nothing has ended',
  );
  const archive = join(home, 'logs.tar.gz');
  await destroyCluster(directory, { logsArchive: archive });
  t.false(await directory.exists());
  t.is((await stat(archive)).mode & 0o777, 0o600);
  const tar = async (...words: string[]): Promise<string> =>
    (await promisify(execFile)('tar', [...words, '--file', archive])).stdout;
  const names = (await tar('--list', '--gzip')).trim().split('\n');
  const file = (name: string): string => `${making.plan.request.name}/${name}`;
  t.deepEqual(
    names,
    [
      'keeper.log',
      'lan/dnsmasq.log',
      'nodes/1/console.log',
      'nodes/1/qemu.log',
      'nodes/2/console.log',
      'nodes/2/qemu.log',
    ].map(file),
  );
  t.regex(await tar('--extract', '--to-stdout', '--gzip', file('nodes/1/console.log')), /R/);
});

all('one process makes a cluster at a time, and other flags are another cluster', async (t) => {
  const { home, directory } = await tinyHome(t, 'deaf');
  const request = tinyRequest(home);
  {
    await using _making = await planCluster(request, join(home, 'clusters'));
    await t.throwsAsync(planCluster(request, join(home, 'clusters')), {
      code: 'ERR_CLUSTER_EXISTS',
      message: new RegExp(`is being made by process ${process.pid}$`),
    });
  }
  await t.throwsAsync(planCluster({ ...request, workers: 0 }, join(home, 'clusters')), {
    code: 'ERR_CLUSTER_EXISTS',
    message: /half made with other flags/,
  });
  await using again = await planCluster(request, join(home, 'clusters'));
  t.true(again.continued);
  t.is((await showCluster(directory)).phase, 'planned');
});

all('a keeper that was killed is started again, once, and takes over the machines that run', async (t) => {
  const { home, directory, cache } = await tinyHome(t, 'deaf');
  await make(home, '');
  const namespace = namespaceOf(await directory.requirePlan());
  const machines = async (): Promise<readonly number[]> => {
    const pids = await new Namespace(namespace).processes();
    // What made the network anew may be ending.
    const names = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
    return pids.filter((_, index) => names[index]?.startsWith('qemu'));
  };
  const before = await machines();
  t.is(before.length, 2);
  await endKeeper(directory); // SIGKILL
  const kept = await Promise.all([keepCluster(directory, cache), keepCluster(directory, cache)]);
  t.true(kept.includes(true));
  t.like(await showCluster(directory), { kept: true, phase: 'running' });
  t.deepEqual(
    (await showCluster(directory)).nodes.map(({ state }) => state),
    ['running', 'running'],
  );
  t.deepEqual(await machines(), before, 'the same machines');
  const keepers = (await processesOf(home)).filter((pid) => !before.includes(pid));
  // The keeper that came second may be ending.
  const named = await Promise.all(
    keepers.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  t.is(named.filter((name) => name.startsWith('nodecore-cluster')).length, 1);
});

all('a cluster is stopped by the power button, and started with what it had', async (t) => {
  const { home, directory, cache } = await tinyHome(t, 'obedient');
  await t.throwsAsync(startCluster(directory, cache), { code: 'ERR_CLUSTER_NOT_FOUND' });
  await using making = await planCluster(tinyRequest(home), join(home, 'clusters'));
  await t.throwsAsync(startCluster(directory, cache), {
    code: 'ERR_CLUSTER_STATE',
    message: /never finished/,
  });
  await startKeeper(directory, cache);
  await callKeeper(directory, { method: 'create' });
  await changeState(directory, { ready: true });
  await making[Symbol.asyncDispose]();
  const states = async (): Promise<readonly string[]> =>
    (await showCluster(directory)).nodes.map(({ state }) => state);
  const [first] = making.plan.nodes;
  await t.throwsAsync(stopCluster(directory, cache, { nodes: [first?.name ?? '', 'nobody'] }), {
    code: 'ERR_CLUSTER_NOT_FOUND',
    message: /no machine nobody in .*: there is .*-controlplane-1, .*-worker-1/,
  });
  t.deepEqual(await states(), ['running', 'running']);
  await saysR(directory, 1);
  await stopCluster(directory, cache, { nodes: [first?.address ?? ''] });
  t.deepEqual(await states(), ['off', 'running']);
  await startCluster(directory, cache, { nodes: [first?.name ?? ''] });
  t.deepEqual(await states(), ['running', 'running']);
  await saysR(directory, 1);
  await saysR(directory, 2);
  const keeper = await runningKeeper(directory);
  await stopCluster(directory, cache);
  t.like(await showCluster(directory), { phase: 'stopped', kept: false, ready: true });
  t.is(identityOf(keeper?.pid ?? 0), undefined);
  t.deepEqual(await namesOf(await processesOf(home)), []);
  t.false(await new Namespace(namespaceOf(making.plan)).exists());
  await stopCluster(directory, cache); // twice is fine
  await startCluster(directory, cache);
  t.deepEqual(await states(), ['running', 'running']);
  const machines = (await callKeeper(directory, { method: 'reflect' })) as readonly KeptMachine[];
  t.deepEqual(
    machines.map(({ starts }) => starts),
    [1, 1],
  );
  t.deepEqual(await directory.requirePlan(), making.plan);
});

all('who starts a cluster while it is being stopped gets it, from the keeper that is there', async (t) => {
  const { home, directory, cache } = await tinyHome(t, 'deaf');
  await make(home, '');
  await changeState(directory, { ready: true });
  const keeper = await runningKeeper(directory);
  const isRunning = async (): Promise<void> => {
    const { phase, kept, nodes } = await showCluster(directory);
    t.deepEqual([phase, kept, ...nodes.map(({ state }) => state)], ['running', true, 'running', 'running']);
  };
  t.false(await callKeeper(directory, { method: 'retire' }), 'machines are on');
  const stopped = stopCluster(directory, cache, { graceMs: 1500 });
  const looks = async (): Promise<readonly string[]> =>
    ((await callKeeper(directory, { method: 'reflect' })) as readonly KeptMachine[]).map(
      ({ state }) => state,
    );
  while (!(await looks()).every((state) => state === 'shutting-down')) await setImmediate();
  await Promise.all([stopped, callKeeper(directory, { method: 'start' })]); // which waits for the end of the stop
  await isRunning();
  t.deepEqual(await runningKeeper(directory), keeper);
  const names = (await directory.requirePlan()).nodes.map(({ name }) => name);
  await stopCluster(directory, cache, { nodes: names, graceMs: 0 });
  // A stop that has ended the keeper when the first machine was to start.
  let ends: Promise<unknown> | undefined;
  const end = async (): Promise<void> => {
    await using _lock = await lockKeeping(directory); // as a stop has it
    await endKeeper(directory);
  };
  await startCluster(directory, cache, { onStatus: () => void (ends ??= end()) });
  await ends;
  await isRunning();
  t.notDeepEqual(await runningKeeper(directory), keeper);
  await stopCluster(directory, cache, { nodes: names, graceMs: 0 });
  t.true(await callKeeper(directory, { method: 'retire' }));
  await t.throwsAsync(callKeeper(directory, { method: 'keep' }), { code: 'ERR_CLUSTER_KEEPER' });
  await startCluster(directory, cache);
  await isRunning();
});

all('a machine alone is on a network of QEMU, with its door there, also when nobody keeps it', async (t) => {
  const { home, directory, cache } = await tinyHome(t, 'obedient');
  const request = { ...tinyRequest(home), workers: 0, network: 'user', tpm: true } as const;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  await using making = await planCluster(request, join(home, 'clusters'), { port });
  const namespaces = await readdir('/run/netns').catch((): string[] => []);
  await startKeeper(directory, cache);
  await callKeeper(directory, { method: 'create' });
  await changeState(directory, { ready: true });
  await making[Symbol.asyncDispose]();
  t.deepEqual(await readdir('/run/netns').catch((): string[] => []), namespaces);
  t.like((await showCluster(directory)).nodes[0], { state: 'running', api: `127.0.0.1:${port}` });
  await endKeeper(directory); // SIGKILL
  const door = connect(port, '127.0.0.1');
  await once(door, 'connect');
  door.destroy();
  t.true(await keepCluster(directory, cache));
  await saysR(directory, 1);
  await stopCluster(directory, cache);
  t.like(await showCluster(directory), { phase: 'stopped', kept: false });
  t.deepEqual(await namesOf(await processesOf(home)), []);
  await startCluster(directory, cache);
  t.is((await showCluster(directory)).nodes[0]?.uuid, making.plan.nodes[0]?.uuid);
  await destroyCluster(directory);
  t.deepEqual(await namesOf(await processesOf(home)), []);
});

/** The guest is up: it looks at the power button from now on. */
async function saysR(directory: ClusterDirectory, index: number): Promise<void> {
  const console = directory.console({ index });
  while (!(await readFile(console, 'latin1').catch(() => '')).includes('R'));
}

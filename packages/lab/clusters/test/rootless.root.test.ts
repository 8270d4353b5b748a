import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';

import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { tinyMachine } from '../../machine/test/guests.ts';
import { ClusterDirectory, type ClusterView, destroyCluster } from '../src/index.ts';

/** Nobody else's on this computer. */
const uid = 54_322;
const who = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--bounding-set=-all', '--no-new-privs'];
const fixture = join(import.meta.dirname, 'fixtures', 'unprivileged.ts');

async function unprivileged(home: string, words: readonly string[]): Promise<readonly ClusterView[]> {
  const [verb = '', ...names] = words;
  const argv = [...who, '--', process.execPath, '--conditions=source', fixture, verb, home, ...names];
  const env = { PATH: process.env['PATH'], HOME: home };
  const { stdout } = await promisify(execFile)('setpriv', argv, { cwd: '/', env });
  return JSON.parse(stdout) as readonly ClusterView[];
}

/** Words of what runs as the test's user. */
async function processes(): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const owner = await stat(`/proc/${pid}`).then(
      (own) => own.uid,
      () => undefined, // it has ended
    );
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (owner === uid && words !== '') found.set(Number(pid), words.split('\0').join(' '));
  }
  return found;
}

async function netOf(pid: number | 'self'): Promise<number> {
  return (await stat(`/proc/${pid}/ns/net`)).ino;
}

/** Of the namespaces of the clusters, or of one. */
async function holders(name = 'os-'): Promise<readonly number[]> {
  const held = [...(await processes())].filter(
    ([, words]) => words.startsWith('sh -c ') && words.includes(` nodecore-namespace ${name}`),
  );
  return held.map(([pid]) => pid);
}

/** Whoever may end the process that holds a network ends nothing else: its keeper has another one hold it, and what is between frames is found. */
async function losesHolders(t: ExecutionContext, home: string): Promise<void> {
  const [shown] = await unprivileged(home, ['chaos', 'one']);
  t.deepEqual(shown?.nodes[0]?.chaos, { to: { latencyMs: 20 }, from: { latencyMs: 20 } });
  const log = join(home, 'clusters', 'one', 'keeper.log');
  const before = await holders();
  t.is(before.length, 2);
  for (const pid of before) process.kill(pid, 'SIGKILL');
  const limit = AbortSignal.timeout(60_000);
  while (!/who held os-\w+ was killed: another one does/.test(await readFile(log, 'utf8'))) {
    limit.throwIfAborted();
    await setImmediate();
  }
  while ((await holders()).length < 2) {
    limit.throwIfAborted();
    await setImmediate();
  }
  t.deepEqual(
    (await unprivileged(home, ['show', 'one', 'other'])).map(({ nodes: [node] }) => node?.state),
    ['running', 'running'],
  );
  await unprivileged(home, ['chaos', 'one']);
  // Nobody is there to mend it any more when both are killed; the cluster is taken away all the same.
  const { pid } = JSON.parse(await readFile(join(home, 'clusters', 'one', 'keeper.json'), 'utf8')) as {
    readonly pid: number;
  };
  process.kill(pid, 'SIGKILL');
  for (const holder of await holders(shown?.network.name)) process.kill(holder, 'SIGKILL');
}

testWith(
  root,
  program('qemu-system-x86_64'),
  program('dnsmasq'),
)('a user without privileges has clusters, two with one network, and nothing of them is left', async (t) => {
  const above = await temporaryDirectory(t);
  await chmod(above, 0o711);
  const home = join(above, 'a home of somebody');
  await mkdir(home);
  await tinyMachine(home, 'deaf');
  for (const path of [home, join(home, 'boot.disk')]) await chown(path, uid, uid);
  t.teardown(async () => {
    for (const pid of (await processes()).keys()) process.kill(pid, 'SIGKILL');
  });
  const made = await unprivileged(home, ['create', 'one', 'other']);
  t.deepEqual(
    made.map(({ phase, network, nodes }) => [phase, network.cidrs, nodes.map(({ state }) => state)]),
    Array.from({ length: 2 }, () => ['running', ['10.91.0.0/24'], ['running']]),
  );
  const again = await unprivileged(home, ['restart', 'one']);
  t.deepEqual(
    again[0]?.nodes.map(({ state, api }) => [state, api]),
    [['running', made[0]?.nodes[0]?.api]],
  );
  const doors = made.map(({ nodes: [node] }) => node?.api ?? '');
  t.is(new Set(doors).size, 2);
  for (const door of doors) {
    const [host = '', port = ''] = door.split(':');
    const socket = connect({ host, port: Number(port) });
    await once(socket, 'connect');
    socket.destroy();
  }
  const machines = [...(await processes())].filter(([, words]) => /^\S*qemu-system/.test(words));
  const namespaces = await Promise.all(machines.map(([pid]) => netOf(pid)));
  t.is(new Set([...namespaces, await netOf('self')]).size, 3);
  await losesHolders(t, home);
  const one = new ClusterDirectory(join(home, 'clusters'), 'one');
  await t.throwsAsync(destroyCluster(one), {
    code: 'ERR_CLUSTER_STATE',
    message: /is a cluster of the user 54322/,
  });
  await unprivileged(home, ['destroy', 'one', 'other']);
  t.deepEqual([...(await processes()).values()], []);
  t.deepEqual(await readdir(join(home, 'clusters')), []);
});

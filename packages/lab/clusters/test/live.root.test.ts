import { readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { Namespace } from '@nodecore/lan';
import { endKept } from '@nodecore/machine';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { tinyMachine } from '../../machine/test/guests.ts';
import {
  callKeeper,
  changeClusterDisk,
  changeState,
  type ClusterDirectory,
  destroyCluster,
  type DiskChange,
  disksOf,
  endKeeper,
  keepCluster,
  planCluster,
  setChaos,
  showCluster,
  startCluster,
  startKeeper,
  stopCluster,
} from '../src/index.ts';
import { namespaceOf, tinyRequest } from './requests.ts';

/** The programs that serve directories of a cluster. */
async function sharing(directory: ClusterDirectory): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes('virtiofsd') && line.includes(`${directory.path}/`)).length;
}

/** Whether a program of the first machine has a disk of it open. */
async function isIn(directory: ClusterDirectory, namespace: Namespace, serial: string): Promise<boolean> {
  const file = join(directory.node({ index: 1 }), `${serial}.disk`);
  for (const pid of await namespace.processes()) {
    const fds = await readdir(`/proc/${pid}/fd`).catch((): string[] => []);
    const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
    if (links.includes(file)) return true;
  }
  return false;
}

testWith(
  root,
  program('qemu-system-x86_64'),
  program('dnsmasq'),
  program('nft'),
  program('tc'),
)(
  'disks and chaos change while machines run, go on with another keeper, and are there at the next start, as is a shared directory',
  async (t) => {
    const home = await temporaryDirectory(t);
    await tinyMachine(home, 'deaf');
    const cache = join(home, 'cache');
    const request = { ...tinyRequest(home), shares: { tags: ['data'] } };
    const making = await planCluster(request, join(home, 'clusters'));
    const { directory, plan } = making;
    t.teardown(() => destroyCluster(directory));
    const [first, second] = plan.nodes as readonly [(typeof plan.nodes)[0], (typeof plan.nodes)[0]];
    const namespace = new Namespace(namespaceOf(plan));
    const change = async (wanted: DiskChange) =>
      await changeClusterDisk(directory, cache, first.name, wanted);
    const attach = async (driver: 'usb' | 'virtio' | 'ide', serial?: string) =>
      await change({ action: 'attach', disk: { driver, sizeBytes: 1 << 20, ...(serial && { serial }) } });
    const tables = async (): Promise<string> => await namespace.run(['nft', 'list', 'tables', 'netdev']);

    await t.throwsAsync(change({ action: 'resize', serial: '1-0', sizeBytes: 8 << 20 }), {
      code: 'ERR_CLUSTER_STATE',
      message: /1-0 is made with the next start/,
    });
    await setChaos(directory, cache, { effects: { loss: 0.5 } }, { nodes: [second.name] });
    await startKeeper(directory, cache);
    await callKeeper(directory, { method: 'create' });
    await changeState(directory, { ready: true });
    await making[Symbol.asyncDispose]();
    t.regex(
      await tables(),
      /^(?:table netdev guard\n)?table netdev chaos_tap2_0\n$/,
      'as it was asked for before the start',
    );

    t.true((await sharing(directory)) > 0);
    const shared = join(directory.node(second), 'shares/data');
    await writeFile(join(shared, 'file'), 'stays');
    t.like(await attach('usb'), { machine: first.name, serial: '1-1', isPlanned: false });
    t.is((await attach('virtio')).serial, '1-2');
    t.true(await isIn(directory, namespace, '1-1'));
    await t.throwsAsync(attach('usb', '1-0'), { code: 'ERR_CLUSTER_REQUEST', message: /has a disk 1-0/ });
    await t.throwsAsync(attach('ide', 'LATE'), { code: 'ERR_MACHINE_REFUSED' });
    await t.throwsAsync(change({ action: 'detach', serial: 'NONE' }), {
      code: 'ERR_CLUSTER_NOT_FOUND',
      message: /there is 1-0, 1-1, 1-2$/,
    });
    t.is((await change({ action: 'resize', serial: '1-1', sizeBytes: 2 << 20 })).sizeBytes, 2 << 20);
    await t.throwsAsync(change({ action: 'resize', serial: '1-1', sizeBytes: 1 << 20 }), {
      code: 'ERR_CLUSTER_REQUEST',
      message: /would lose/,
    });
    await t.throwsAsync(setChaos(directory, cache, { effects: { jitterMs: 5 } }), {
      code: 'ERR_CLUSTER_REQUEST',
    });
    await setChaos(
      directory,
      cache,
      { direction: 'to', effects: { latencyMs: 5 } },
      { nodes: [first.address] },
    );

    await endKeeper(directory); // SIGKILL
    t.true(await keepCluster(directory, cache));
    t.regex(await tables(), /chaos_tap1_0[\s\S]*chaos_tap2_0|chaos_tap2_0[\s\S]*chaos_tap1_0/);
    t.is((await attach('virtio')).serial, '1-3', 'in a slot of its own');
    await change({ action: 'resize', serial: '1-1', sizeBytes: 3 << 20 });
    await change({ action: 'detach', serial: '1-1' });
    t.false(await isIn(directory, namespace, '1-1'));
    t.is((await stat(join(directory.node(first), '1-1.disk'))).size, 3 << 20, 'what is on it stays');
    t.is((await attach('usb')).serial, '1-4', 'another disk, and not what is on the one that went');
    await attach('usb', '1-1');
    t.true(await isIn(directory, namespace, '1-1'));

    await stopCluster(directory, cache, { graceMs: 0 });
    t.is(await sharing(directory), 0);
    await change({ action: 'detach', serial: '1-3' });
    await t.throwsAsync(change({ action: 'detach', serial: '1-0' }), { code: 'ERR_CLUSTER_REQUEST' });
    await setChaos(directory, cache, { effects: null }, { nodes: [second.name] });
    await startCluster(directory, cache);
    for (const serial of ['1-0', '1-1', '1-2']) t.true(await isIn(directory, namespace, serial), serial);
    t.false(await isIn(directory, namespace, '1-3'));
    t.true((await sharing(directory)) > 0);
    t.is(await readFile(join(shared, 'file'), 'utf8'), 'stays');
    t.deepEqual(
      (await disksOf(directory, first.name)).map(({ serial, sizeBytes }) => `${serial} ${sizeBytes >> 20}`),
      ['1-0 4', '1-2 1', '1-4 1', '1-1 3'],
    );
    t.regex(await tables(), /^(?:table netdev guard\n)?table netdev chaos_tap1_0\n$/);
    const { nodes } = await showCluster(directory);
    t.deepEqual(
      nodes.map(({ chaos }) => chaos),
      [{ to: { latencyMs: 5 } }, undefined],
    );
    await t.throwsAsync(callKeeper(directory, { method: 'reboot', fromNetwork: true }), {
      code: 'ERR_CLUSTER_REQUEST',
      message: /nothing on its network to start from/,
    });
    const sockets = (await readdir(directory.node(second))).filter((name) => name.startsWith('share-'));
    const known = async () =>
      (await readdir('/run/virtiofsd')).filter((name) => sockets.includes(basename(name, '.pid')));
    t.is((await known()).length, 2, 'one of the keeper that was killed');
    await endKept(directory.node(second));
    t.deepEqual(await known(), []);
    const log = await readFile(join(directory.path, 'keeper.log'), 'utf8');
    t.notRegex(log, /Unhandled|TypeError/);
  },
);

import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';
import test from 'ava';

import { first } from '../src/system/places.ts';
import { ClusterHome } from './cluster-home.ts';
import { servedSchematic } from './served-schematic.ts';

/* Three starts of the node OS on the processors of one: minutes in emulation, so that it is of the long campaign. */
const needed = testWith(root, program('qemu-system-x86_64'), program('dnsmasq'));
const campaign: typeof needed =
  process.env['FAULT_CAMPAIGN'] === 'long' ? needed : (title, body) => test.skip(title, body);
const pollMs = 1000;
const name = 'three';

campaign(
  'three machines from the disk image of a factory have one kvstore and give a snapshot of it; one whose QEMU is killed is shown as crashed, comes back to it when it is started, and nothing is left when they are destroyed',
  async (t) => {
    t.timeout(3_000_000);
    const signal = AbortSignal.timeout(2_900_000);
    const directory = await temporaryDirectory(t);
    const own = new ClusterHome(join(directory, 'a home'), signal);
    t.teardown(async () => {
      const late = new ClusterHome(own.path, AbortSignal.timeout(60_000));
      if (existsSync(own.cluster(name))) await late.osctl('cluster', 'destroy', '--name', name);
    });
    const { url, id } = await servedSchematic(t, directory);
    const image = ['--image-factory-url', url, '--schematic-id', id, '--os-version', first];
    const size = '--controlplanes 3 --workers 0 --cpus-controlplanes 1 --memory-controlplanes 768MiB';
    const machines = `--name ${name} --cidr 10.178.0.0/24 --disks virtio:6GiB ${size}`.split(' ');
    const start = '--presets disk-image --with-uefi=false --wait-timeout 40m'.split(' ');
    await own.osctl('cluster', 'create', 'vm', ...machines, ...image, ...start);
    await own.note(name);

    const { nodes } = await own.show(name);
    const of = (at: number): readonly string[] => ['--context', name, '-n', nodes[at]?.api ?? ''];
    const members = async (at: number): Promise<number> => {
      const listed = await own.osctl(...of(at), 'kvstore', 'members', '-o', 'json');
      return (JSON.parse(listed) as readonly unknown[]).length;
    };
    t.is(await members(0), 3);
    const snapshot = join(own.path, 'kvstore.snapshot');
    await own.osctl(...of(0), 'kvstore', 'snapshot', snapshot);
    t.true((await stat(snapshot)).size > 2 ** 14);

    const record = await readFile(join(own.cluster(name), 'nodes', '2', 'machine.programs'), 'utf8');
    const programs = record
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly pid: number; readonly name: string });
    const qemu = programs.find((each) => each.name.startsWith('qemu-system-'));
    process.kill(qemu?.pid ?? Number.NaN, 'SIGKILL');
    const state = async (): Promise<string | undefined> => (await own.show(name)).nodes[1]?.state;
    while ((await state()) !== 'crashed') await systemClock.sleep(pollMs, signal);
    t.is(await members(0), 3, 'two of three go on');

    await own.osctl('cluster', 'start', '--name', name, '-n', nodes[1]?.name ?? '');
    while ((await own.code(...of(1), 'kvstore', 'status')) !== 0) await systemClock.sleep(pollMs, signal);
    t.is(await members(1), 3, 'it is the member that it was');

    await own.osctl('cluster', 'destroy', '--name', name);
    t.deepEqual(own.remains(), []);
  },
);

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { type Inventory, list } from '@nodecore/block';
import {
  type LoopDevice,
  loopDevice,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import type { IntentStore, VolumeManager, VolumeSpec } from '../src/index.ts';
import { manage, MemoryIntents, reach } from './real.ts';
import { diskSpec, userSpec } from './specs.ts';

const mib = 1 << 20;
const rooted = testWith(root, program('mkfs.ext4'), program('mkfs.xfs'));

/** Loop devices have no serial number: here they have one. */
async function* known(serials: ReadonlyMap<string, string>): AsyncGenerator<Inventory> {
  const { disks, volumes } = await list();
  yield {
    disks: disks.flatMap((disk) => {
      const serial = serials.get(disk.devPath);
      return serial === undefined ? [] : [{ ...disk, serial }];
    }),
    volumes: volumes.filter(({ devPath }) => [...serials.keys()].some((path) => devPath.startsWith(path))),
  };
  await new Promise<void>(() => {});
}

function start(
  t: ExecutionContext,
  disks: readonly (readonly [LoopDevice, string])[],
  specs: readonly VolumeSpec[],
  intents: IntentStore = new MemoryIntents(),
): VolumeManager {
  const serials = new Map(disks.map(([{ path }, serial]) => [path, serial]));
  const manager = manage([], intents, specs, { inventory: known(serials) });
  t.teardown(() => manager.close());
  return manager;
}

async function below(t: ExecutionContext, spec: ReturnType<typeof userSpec>): Promise<typeof spec> {
  const mountRoot = await temporaryDirectory(t);
  return { ...spec, mount: { ...spec.mount, target: join(mountRoot, spec.mount.target) } };
}

/** An ext4 with a file whose first MiB is zero, as a careless dd leaves it. */
async function beheaded(t: ExecutionContext): Promise<LoopDevice> {
  const disk = await loopDevice(t, { sizeBytes: 768 * mib });
  await output(['mkfs.ext4', '-q', '-b', '4096', disk.path]);
  await using file = await open(disk.path, 'r+');
  await file.write(Buffer.alloc(mib), 0, mib, 0);
  await file.sync();
  return disk;
}

async function bytesAt(disk: LoopDevice, offset: number): Promise<string> {
  await using file = await open(disk.path, 'r');
  const { buffer } = await file.read(Buffer.alloc(4096), 0, 4096, offset);
  return createHash('sha256').update(buffer).digest('hex');
}

for (const type of ['partition', 'disk'] as const) {
  const make = type === 'disk' ? diskSpec : userSpec;

  rooted(
    `data that is not recognised at its head is no place for a ${type}, by name and place`,
    async (t) => {
      const disk = await beheaded(t);
      const before = await bytesAt(disk, 128 * mib);
      const spec = await below(t, make('data', `disk.dev_path == "${disk.path}"`));
      const manager = start(t, [[disk, 'A-1']], [spec]);
      await reach(manager, 'waiting');
      const told = await reachReason(manager);
      t.regex(told, /backup superblock of ext4, which began at byte 0, at byte 134217728/);
      t.is(await bytesAt(disk, 128 * mib), before);
    },
  );

  rooted(
    `a document that names the disk has it erased for a ${type}, once, and the proof is kept`,
    async (t) => {
      const disk = await beheaded(t);
      const spec = {
        ...(await below(t, make('data', `disk.dev_path == "${disk.path}"`))),
        erase: ['A-1'],
      };
      const intents = new MemoryIntents();
      const first = start(t, [[disk, 'A-1']], [spec], intents);
      const status = (await reach(first, 'ready')).get('u-data');
      t.regex(status?.proof?.erased ?? '', /backup superblock of ext4/);
      t.is(status?.proof?.size, 768 * mib);
      t.deepEqual(
        status?.proof?.read.map(({ purpose }) => purpose),
        ['edges', 'backups', 'windows', 'extents'],
      );
      t.deepEqual(intents.records.get('u-data')?.proof, status?.proof);
      await first.close();

      const again = start(t, [[disk, 'A-1']], [spec], intents);
      const adopted = (await reach(again, 'ready')).get('u-data');
      t.is(adopted?.uuid, status?.uuid, 'the list has no effect on what was made');
      t.deepEqual(adopted?.proof, status?.proof);
      await again.close();

      // Something else is on the disk now: it was made once, and is missed, not made again.
      await output(['wipefs', '--all', '--quiet', disk.path]);
      const third = start(t, [[disk, 'A-1']], [spec], intents);
      const left = await reach(third, 'missing', 'failed', 'ready');
      t.not(left.get('u-data')?.phase, 'ready');
    },
  );
}

rooted('nothing is erased for a number that two disks have', async (t) => {
  const [one, two] = [await beheaded(t), await beheaded(t)];
  const before = [await bytesAt(one, 128 * mib), await bytesAt(two, 128 * mib)];
  const spec = {
    ...(await below(t, userSpec('data', `disk.dev_path in ["${one.path}", "${two.path}"]`))),
    erase: ['A-1'],
  };
  const manager = start(
    t,
    [
      [one, 'A-1'],
      [two, 'A-1'],
    ],
    [spec],
  );
  const told = await reachReason(manager);
  t.regex(told, /nothing is erased, because A-1 names loop\d+ and loop\d+/);
  t.deepEqual([await bytesAt(one, 128 * mib), await bytesAt(two, 128 * mib)], before);
});

rooted('nothing is erased of a disk with a volume of another configuration', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 768 * mib });
  await output(['sfdisk', '--quiet', disk.path], { input: 'label: gpt\nname=u-other, size=400MiB\n' });
  const before = await bytesAt(disk, 0);
  const spec = { ...(await below(t, diskSpec('data', `disk.dev_path == "${disk.path}"`))), erase: ['A-1'] };
  const manager = start(t, [[disk, 'A-1']], [spec]);
  t.regex(await reachReason(manager), /nothing is erased, because it has partition u-other/);
  t.is(await bytesAt(disk, 0), before);
});

rooted('a mounted disk is not erased', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 768 * mib });
  await output(['mkfs.ext4', '-q', disk.path]);
  const target = await temporaryDirectory(t);
  await output(['mount', disk.path, target]);
  try {
    const spec = { ...(await below(t, diskSpec('data', `disk.dev_path == "${disk.path}"`))), erase: ['A-1'] };
    const manager = start(t, [[disk, 'A-1']], [spec]);
    t.regex(await reachReason(manager), /is in use: it is mounted on/);
  } finally {
    await output(['umount', target]);
  }
});

/** What is told of the disks while the volume waits. */
async function reachReason(manager: VolumeManager): Promise<string> {
  const statuses = await reachCandidates(manager);
  return statuses.map(({ reason }) => reason).join('\n');
}

async function reachCandidates(manager: VolumeManager) {
  for await (const _batch of manager.changes()) {
    const candidates = manager.statuses()[0]?.candidates;
    if (candidates !== undefined) return candidates;
  }
  return [];
}

import test, { type ExecutionContext } from 'ava';

import type { VolumeSpec } from '../src/index.ts';
import { FakeDisk } from './fake-disk.ts';
import type { FakeFilesystem, Region } from './fake-region.ts';
import { FakeWorld } from './fake-world.ts';
import { directorySpec, existingSpec, mounted, rawSpec, swapSpec } from './kind-specs.ts';
import { Machine } from './machine.ts';
import { encryption, passphrase, userSpec } from './specs.ts';
import { systemSpecs } from './system-specs.ts';

const on = (id: string): string => `disk.dev_path == "/dev/${id}"`;
const key = encryption(passphrase(0, 'x'));

function start(t: ExecutionContext, disks: FakeDisk[], specs: readonly VolumeSpec[]) {
  const world = new FakeWorld(disks);
  const machine = new Machine(world, specs);
  t.teardown(() => machine.stop());
  return { world, machine };
}

async function reaches(
  t: ExecutionContext,
  machine: Machine,
  phase: string,
  ...ids: string[]
): Promise<void> {
  const done = await machine.until(() => ids.every((id) => machine.status(id).phase === phase));
  const say = (id: string): string => {
    const { phase: found, errorMessage, reason } = machine.status(id);
    return `${id} is ${found}: ${errorMessage ?? reason}`;
  };
  t.true(done, ids.map(say).join());
}

function theirs(type: string): FakeFilesystem {
  return {
    kind: 'filesystem',
    type,
    uuid: `uuid-${type}`,
    label: 'theirs',
    torn: false,
    files: new Set(['it']),
  };
}

function partitionOf(world: FakeWorld, label: string): Region | undefined {
  const found = world.partitions().find((one) => one.label === label);
  return found && world.slot(found.devPath)?.region;
}

test('a raw volume becomes a blank partition, is never formatted, and keeps what its user writes', async (t) => {
  const specs = [rawSpec('osd', on('sda')), rawSpec('locked', on('sda'), { encryption: key })];
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], specs);
  await reaches(t, machine, 'ready', 'r-osd', 'r-locked');
  t.is(partitionOf(world, 'r-osd')?.kind, 'zero');
  t.is(world.slot('/dev/mapper/luks2-r-locked')?.region.kind, 'zero');
  t.is(machine.status('r-osd').mountLocation, machine.status('r-osd').location);
  t.is(machine.status('r-locked').mountLocation, '/dev/mapper/luks2-r-locked');
  t.deepEqual([machine.manager.mounts(), world.mounted], [[], []]);
  t.false(world.changes.some((change) => change.startsWith('mkfs')));

  for (const path of [machine.status('r-osd').location ?? '', '/dev/mapper/luks2-r-locked']) {
    const place = world.slot(path);
    if (place !== undefined) place.region = { kind: 'foreign', type: 'ceph_bluestore' };
  }
  await machine.stop();
  world.cutPower();
  const again = new Machine(world, specs);
  t.teardown(() => again.stop());
  await reaches(t, again, 'ready', 'r-osd', 'r-locked');
  t.deepEqual(partitionOf(world, 'r-osd'), { kind: 'foreign', type: 'ceph_bluestore' });
  t.is(world.slot('/dev/mapper/luks2-r-locked')?.region.kind, 'foreign');
  t.deepEqual(world.violations, []);
});

test('a raw volume that its user encrypts is left to the user; one that we encrypted needs its keys', async (t) => {
  const { world, machine } = start(
    t,
    [new FakeDisk('sda', 8000)],
    [rawSpec('osd', on('sda'), { encryption: key })],
  );
  await reaches(t, machine, 'ready', 'r-osd');
  machine.manager.apply([]);
  await machine.until(() => machine.manager.statuses().length === 0);
  machine.manager.apply([rawSpec('osd', on('sda'))]);
  await reaches(t, machine, 'failed', 'r-osd');
  t.is(machine.status('r-osd').errorCode, 'ERR_VOLUME_ENCRYPTED');
  const region = partitionOf(world, 'r-osd');
  if (region?.kind !== 'luks') throw new Error('not encrypted');
  const slot = world.slot(world.partitions()[0]?.devPath ?? '');
  if (slot !== undefined) slot.region = { ...region, label: 'theirs' };
  machine.manager.apply([rawSpec('osd', on('sda'), { previousKeys: [] })]);
  await reaches(t, machine, 'ready', 'r-osd');
});

test('swap space is made once, used, adopted by the next process, and given back with its document', async (t) => {
  const specs = [swapSpec('swap', on('sda')), swapSpec('locked', on('sda'), { encryption: key })];
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], specs);
  await reaches(t, machine, 'ready', 's-swap', 's-locked');
  t.is(world.swaps.size, 2);
  t.true(world.swaps.has('/dev/mapper/luks2-s-locked'));
  t.like(partitionOf(world, 's-swap'), { kind: 'filesystem', type: 'swap', label: 's-swap' });
  t.is(machine.status('s-swap').filesystem, 'swap');
  await machine.stop();
  const next = new Machine(world, specs);
  t.teardown(() => next.stop());
  await reaches(t, next, 'ready', 's-swap', 's-locked');
  t.deepEqual(
    world.changes.filter((change) => change.startsWith('mkfs') || change.startsWith('swap on')),
    [],
  );
  next.manager.apply([]);
  t.true(await next.until(() => next.manager.statuses().length === 0));
  t.deepEqual([[...world.swaps], [...world.mappings.keys()]], [[], []]);
  t.deepEqual(world.violations, []);
});

test('swap space that is not ours, and a filesystem in its place, are never overwritten', async (t) => {
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], [swapSpec('swap', on('sda'))]);
  await reaches(t, machine, 'ready', 's-swap');
  await machine.stop();
  for (const [region, message] of [
    [{ ...theirs('swap'), label: 'theirs' }, /swap space of somebody else/],
    [theirs('xfs'), /holds xfs, and swap is configured/],
  ] as const) {
    world.cutPower();
    const slot = world.slot(world.partitions()[0]?.devPath ?? '');
    if (slot !== undefined) slot.region = region;
    const next = new Machine(world, [swapSpec('swap', on('sda'))]);
    await reaches(t, next, 'failed', 's-swap');
    t.like(next.status('s-swap'), { errorCode: 'ERR_VOLUME_CONTENT' });
    t.regex(next.status('s-swap').errorMessage ?? '', message);
    t.is(slot?.region, region);
    await next.stop();
  }
});

test('a directory is bound to itself once EPHEMERAL is there, with flags of its own, and let go of', async (t) => {
  const directory = mounted(directorySpec('cache'), 'EPHEMERAL');
  const { world, machine } = start(t, [new FakeDisk('vda', 8000)], [...systemSpecs(), directory]);
  await reaches(t, machine, 'ready', 'STATE', 'EPHEMERAL', 'u-cache');
  t.deepEqual(
    world.mounted.map(({ target }) => target),
    ['/system/state', '/var', '/var/mnt/cache'],
  );
  const mount = machine.manager.mounts().find(({ volumeId }) => volumeId === 'u-cache');
  t.like(mount, { source: '/var/mnt/cache', target: '/var/mnt/cache', phase: 'mounted' });
  t.like(machine.status('u-cache'), { type: 'directory', parentId: 'EPHEMERAL' });
  t.is(machine.status('u-cache').location, undefined);

  await machine.stop();
  const next = new Machine(world, [...systemSpecs(), directory]);
  t.teardown(() => next.stop());
  await reaches(t, next, 'ready', 'u-cache');
  const changes = world.changes.filter((change) => !change.startsWith('grow')); // what grows fills its place at each start
  t.deepEqual(changes, []); // adopted
  next.manager.apply(systemSpecs());
  t.true(await next.until(() => next.manager.statuses().length === 2));
  t.false(world.mounted.some(({ target }) => target === '/var/mnt/cache'));
});

test('what is mounted on a directory by somebody else is left alone', async (t) => {
  const world = new FakeWorld([new FakeDisk('sda', 8000, { region: theirs('xfs') })]);
  const directory = directorySpec('cache');
  world.mounted.push({
    id: 0,
    parentId: 0,
    deviceNumber: '/dev/sda',
    root: '/',
    target: '/var/mnt/cache',
    options: ['rw'],
    type: 'xfs',
    source: '/dev/sda',
    superOptions: [],
  });
  const machine = new Machine(world, [directory]);
  t.teardown(() => machine.stop());
  await reaches(t, machine, 'failed', 'u-cache');
  t.is(machine.status('u-cache').errorCode, 'ERR_VOLUME_TARGET_TAKEN');
  machine.manager.apply([]);
  await machine.until(() => machine.manager.statuses().length === 0);
  t.is(world.mounted.length, 1);
});

for (const type of ['xfs', 'ext4', 'btrfs', 'vfat']) {
  test(`an existing ${type} is mounted as it is and given back unchanged`, async (t) => {
    const region = theirs(type);
    const specs = [existingSpec('old', 'volume.label == "theirs"')];
    const { world, machine } = start(
      t,
      [new FakeDisk('sda', 8000), new FakeDisk('sdb', 8000, { region })],
      specs,
    );
    await reaches(t, machine, 'ready', 'e-old');
    t.like(machine.status('e-old'), { location: '/dev/sdb', filesystem: type, uuid: `uuid-${type}` });
    t.deepEqual(world.changes, ['mount /var/mnt/old']);
    t.is(machine.manager.mounts()[0]?.filesystem, type);
    await machine.stop();
    const next = new Machine(world, specs);
    t.teardown(() => next.stop());
    await reaches(t, next, 'ready', 'e-old');
    t.deepEqual(world.changes, []);
    t.is(next.status('e-old').filesystem, type);
    next.manager.apply([]);
    t.true(await next.until(() => next.manager.statuses().length === 0));
    t.deepEqual(world.changes, ['unmount /var/mnt/old']);
    t.is(world.slot('/dev/sdb')?.region, region);
  });
}

test('an existing volume that matches twice is an error that lists all matches', async (t) => {
  const disks = ['sda', 'sdb'].map((id) => new FakeDisk(id, 8000, { region: theirs('xfs') }));
  const { world, machine } = start(t, disks, [existingSpec('old', 'volume.name == "xfs"')]);
  await reaches(t, machine, 'failed', 'e-old');
  t.like(machine.status('e-old'), {
    errorCode: 'ERR_VOLUME_AMBIGUOUS',
    errorMessage: '2 disks and partitions match, need 1: /dev/sda, /dev/sdb',
  });
  t.deepEqual(world.changes, []);
});

test('an existing volume waits for its disk, and takes nothing but a filesystem', async (t) => {
  const { machine } = start(t, [new FakeDisk('sda', 8000)], [existingSpec('old', 'volume.name == "xfs"')]);
  await machine.until(() => machine.status('e-old').reason !== undefined);
  t.like(machine.status('e-old'), { phase: 'waiting', reason: 'no disk or partition matches' });
  const member = new FakeDisk('sda', 8000, { region: { kind: 'foreign', type: 'lvm2-pv' } });
  const second = start(t, [member], [existingSpec('old', 'volume.dev_path == "/dev/sda"')]);
  await reaches(t, second.machine, 'failed', 'e-old');
  t.regex(second.machine.status('e-old').errorMessage ?? '', /holds lvm2-pv/);
  t.deepEqual(second.world.changes, []);
});

test('a volume of this node is never taken for an existing one', async (t) => {
  const specs = [userSpec('data', on('sda')), existingSpec('old', 'volume.name == "xfs"')];
  const { machine } = start(t, [new FakeDisk('sda', 8000)], specs);
  await reaches(t, machine, 'ready', 'u-data');
  await machine.until(() => false, 3);
  t.is(machine.status('e-old').phase, 'waiting');
});

test('a share of the host is mounted by its tag; without it the mount fails and is tried again', async (t) => {
  const { world, machine } = start(t, [], [directorySpec('shared', 'tag-1'), directorySpec('zone')]);
  await reaches(t, machine, 'failed', 'x-shared');
  await reaches(t, machine, 'ready', 'u-zone'); // not held up by the one before
  const failed = machine.manager.mounts().find(({ volumeId }) => volumeId === 'x-shared');
  t.like(failed, { source: 'tag-1', phase: 'failed', errorCode: 'ERR_BLOCK_FAILED' });
  t.regex(machine.status('x-shared').errorMessage ?? '', /tag-1/);
  world.shares.add('tag-1');
  await reaches(t, machine, 'ready', 'x-shared');
  t.like(world.mounted.at(-1), { source: 'tag-1', type: 'virtiofs', target: '/var/mnt/shared' });
  const mount = machine.manager.mounts().find(({ volumeId }) => volumeId === 'x-shared');
  t.like(mount, { source: 'tag-1', filesystem: 'virtiofs', phase: 'mounted' });
  await machine.stop();
  const next = new Machine(world, [directorySpec('shared', 'tag-1'), directorySpec('zone')]);
  t.teardown(() => next.stop());
  await reaches(t, next, 'ready', 'x-shared');
  t.deepEqual(world.changes, []);
});

test('a volume of btrfs waits for an image that has it, and nothing is changed for it before', async (t) => {
  const spec = userSpec('data', on('sda'));
  const btrfs = { ...spec, filesystem: { ...spec.filesystem, type: 'btrfs' as const } };
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], [btrfs]);
  world.missingFilesystems.set('btrfs', 'its driver in the kernel');
  await reaches(t, machine, 'failed', 'u-data');
  t.like(machine.status('u-data'), {
    errorCode: 'ERR_VOLUME_FILESYSTEM',
    permanence: 'needs-operator',
    errorMessage:
      'the system that runs has no btrfs: the extension os/btrfs is not in the booted image, which lacks its driver in the kernel',
  });
  t.deepEqual(world.changes, []);
  await machine.stop();
  world.missingFilesystems.clear();
  const next = new Machine(world, [btrfs]);
  t.teardown(() => next.stop());
  await reaches(t, next, 'ready', 'u-data');
});

test('a share of the host is refused where the kernel enforces labels of files, and other volumes are not', async (t) => {
  const { world, machine } = start(t, [], [directorySpec('shared', 'tag-1'), directorySpec('zone')]);
  world.shares.add('tag-1');
  world.accessControl = 'SELinux';
  await reaches(t, machine, 'failed', 'x-shared');
  await reaches(t, machine, 'ready', 'u-zone');
  t.like(machine.status('x-shared'), {
    errorCode: 'ERR_VOLUME_ACCESS_CONTROL',
    permanence: 'needs-operator',
    errorMessage: 'SELinux is enforced on this node, and what the host shares has no labels of it',
  });
  t.false(world.mounted.some(({ type }) => type === 'virtiofs'));
});

import test, { type ExecutionContext } from 'ava';

import type { VolumeSpec } from '../src/index.ts';
import { FakeDisk } from './fake-disk.ts';
import { FakeWorld } from './fake-world.ts';
import { existingSpec } from './kind-specs.ts';
import { Machine } from './machine.ts';
import { diskSpec, encryption, userSpec } from './specs.ts';
import { onEphemeral, systemSpecs } from './system-specs.ts';

const on = (id: string): string => `disk.dev_path == "/dev/${id}"`;

async function ready(
  t: ExecutionContext,
  disks: FakeDisk[],
  specs: readonly VolumeSpec[],
): Promise<{ readonly world: FakeWorld; readonly machine: Machine }> {
  const world = new FakeWorld(disks);
  const machine = new Machine(world, specs);
  t.teardown(() => machine.stop());
  t.true(await machine.until(() => machine.isReady));
  return { world, machine };
}

/** Lets the machine work while a wipe goes on; how it ended. */
async function wiped(machine: Machine, id: string): Promise<unknown> {
  let end: { readonly error?: unknown } | undefined;
  machine.manager.wipe(id, { method: 'fast' }).then(
    () => (end = {}),
    (error: unknown) => (end = { error }),
  );
  await machine.until(() => end !== undefined);
  return end?.error;
}

for (const [name, spec] of [
  ['a partition', userSpec('data', on('sda'), { encryption: encryption() })],
  ['a whole disk', diskSpec('data', on('sda'))],
] as const) {
  test(`${name} is closed, wiped, given back, and made anew for its document`, async (t) => {
    const { world, machine } = await ready(t, [new FakeDisk('sda', 8000)], [spec]);
    const before = machine.status('u-data').uuid;
    world.changes.length = 0;
    world.first.clear(); // it is meant to become another filesystem
    t.is(await wiped(machine, 'u-data'), undefined);
    t.true(await machine.until(() => machine.isReady));
    t.not(machine.status('u-data').uuid, before);
    const order = world.changes.filter((change) =>
      /^(unmount|close|forget|wipe content|remove)/.test(change),
    );
    t.deepEqual(
      order.map((change) => change.split(' ')[0]),
      name === 'a partition'
        ? ['unmount', 'close', 'forget', 'wipe', 'remove']
        : ['unmount', 'forget', 'wipe'],
    );
    t.deepEqual(world.violations, []);
  });
}

test('what lies on a volume is closed before it and mounted again after it', async (t) => {
  const specs = [...systemSpecs(), onEphemeral(userSpec('data', on('sda')))];
  const system = new FakeDisk('vda', 8000, { region: { kind: 'gpt', partitions: [] } });
  const { world, machine } = await ready(t, [system, new FakeDisk('sda', 8000)], specs);
  const { uuid } = machine.status('u-data');
  world.changes.length = 0;
  world.first.delete('/var');
  t.is(await wiped(machine, 'EPHEMERAL'), undefined);
  t.true(await machine.until(() => machine.isReady));
  t.is(machine.status('u-data').uuid, uuid);
  const order = world.changes.filter((change) => /^(unmount|wipe content|mount)/.test(change));
  t.deepEqual(
    order.map((change) => change.replace(/content of .*/, '')),
    ['unmount /var/mnt/data', 'unmount /var', 'wipe ', 'mount /var', 'mount /var/mnt/data'],
  );
});

test('a volume that somebody uses stays as it is, and works on', async (t) => {
  const { world, machine } = await ready(t, [new FakeDisk('sda', 8000)], [userSpec('data', on('sda'))]);
  const { uuid } = machine.status('u-data');
  // A mount of somebody else below it: it can not be unmounted.
  const below = { ...world.mounted[0], target: '/var/mnt/data/theirs' } as (typeof world.mounted)[number];
  world.mounted.push(below);
  const error = await wiped(machine, 'u-data');
  t.like(error, { code: 'ERR_BLOCK_BUSY' });
  t.true(await machine.until(() => machine.isReady));
  t.is(machine.status('u-data').uuid, uuid);
  t.false(world.changes.some((change) => /^(wipe content|remove|forget)/.test(change)));
});

test('a disk that has taken the name of the one that is to be wiped stays as it is', async (t) => {
  const disk = new FakeDisk('sda', 8000, { facts: { sequence: 7n } });
  const { world, machine } = await ready(t, [disk], [diskSpec('data', on('sda'))]);
  world.changes.length = 0;
  disk.hung = true; // it is looked at before it is wiped
  const wiping = wiped(machine, 'u-data');
  t.true(await machine.until(() => world.changes.includes('forget u-data')));
  const region = structuredClone(disk.slot.region);
  world.disks[0] = new FakeDisk('sda', 8000, { region, facts: { sequence: 8n } });
  disk.hung = false;
  t.like(await wiping, { code: 'ERR_BLOCK_NOT_FOUND' });
  t.false(world.changes.some((change) => change.startsWith('wipe content')));
});

test('after a crash in the middle of a wipe the volume is what it was, or is made anew', async (t) => {
  for (let at = 0; at < 6; at += 1) {
    const world = new FakeWorld([new FakeDisk('sda', 8000)]);
    const specs = [userSpec('data', on('sda'))];
    const first = new Machine(world, specs);
    t.true(await first.until(() => first.isReady));
    await first.stop();
    world.first.clear();
    const second = new Machine(world, specs, { at, mode: 'after' });
    await second.until(() => second.isReady);
    await wiped(second, 'u-data');
    t.true(world.crashed || at > 3, `${at}`);
    await second.stop().catch(() => {}); // it is dead
    world.cutPower();
    world.first.clear();
    const third = new Machine(world, specs);
    t.teardown(() => third.stop());
    t.true(await third.until(() => third.isReady), `${at}: ${third.status('u-data').errorMessage}`);
    t.is(world.partitions().length, 1);
  }
});

test('STATE, what others have made, and what is nowhere are not wiped', async (t) => {
  const system = new FakeDisk('vda', 8000, { region: { kind: 'gpt', partitions: [] } });
  const { machine } = await ready(t, [system], systemSpecs());
  for (const [id, code] of [
    ['STATE', 'ERR_VOLUME_KEPT'],
    ['u-none', 'ERR_VOLUME_NOT_FOUND'],
  ] as const)
    t.like(await wiped(machine, id), { code });
  machine.manager.apply([...systemSpecs(), userSpec('data', 'false'), existingSpec('theirs', 'false')]);
  t.like(await wiped(machine, 'u-data'), { code: 'ERR_VOLUME_NOT_READY' });
  t.like(await wiped(machine, 'e-theirs'), { code: 'ERR_VOLUME_KEPT' });
});

test('a volume whose document goes while its wipe fails is closed as soon as that is possible', async (t) => {
  const { world, machine } = await ready(t, [new FakeDisk('sda', 8000)], [userSpec('data', on('sda'))]);
  const theirs = { ...world.mounted[0], target: '/var/mnt/data/theirs' } as (typeof world.mounted)[number];
  world.mounted.push(theirs);
  const wiping = wiped(machine, 'u-data');
  machine.manager.apply([]);
  t.like(await wiping, { code: 'ERR_BLOCK_BUSY' });
  world.mounted.splice(world.mounted.indexOf(theirs), 1);
  t.true(await machine.until(() => world.mounted.length === 0 && machine.manager.statuses().length === 0));
  t.false(world.intents.has('u-data'));
  t.false(world.changes.some((change) => change.startsWith('wipe content')));
});

test('a volume whose document goes while what it lies on is wiped gives up what it was given', async (t) => {
  const data = onEphemeral(diskSpec('data', on('sda')));
  const system = new FakeDisk('vda', 8000, { region: { kind: 'gpt', partitions: [] } });
  const { world, machine } = await ready(t, [system, new FakeDisk('sda', 8000)], [...systemSpecs(), data]);
  world.first.delete('/var');
  const wiping = wiped(machine, 'EPHEMERAL');
  machine.manager.apply(systemSpecs());
  t.is(await wiping, undefined);
  t.true(await machine.until(() => machine.isReady && machine.manager.statuses().length === 2));
  t.false(world.intents.has('u-data'));
});

test('a volume whose document goes while what it lies on begins anew is given up, and may come back', async (t) => {
  const data = onEphemeral(diskSpec('data', on('sda')));
  const system = new FakeDisk('vda', 8000, { region: { kind: 'gpt', partitions: [] } });
  const { world, machine } = await ready(t, [system, new FakeDisk('sda', 8000)], [...systemSpecs(), data]);
  world.first.delete('/var');
  const records = Promise.withResolvers<void>();
  world.slowRecords = records.promise;
  const others = [...systemSpecs(), userSpec('more', 'false')]; // whose record has to be read
  machine.manager.apply([...others, data]);
  const wiping = machine.manager.wipe('EPHEMERAL', { method: 'fast' });
  const isRemoved = (): boolean => world.changes.some((change) => change.startsWith('remove'));
  t.true(await machine.until(() => isRemoved() && machine.status('EPHEMERAL').phase !== 'closed'));
  machine.manager.apply(others);
  records.resolve();
  await t.notThrowsAsync(wiping);
  t.true(await machine.until(() => machine.manager.statuses().every(({ id }) => id !== 'u-data')));
  machine.manager.apply([...others, data]);
  t.true(await machine.until(() => machine.status('u-data').phase === 'ready'));
});

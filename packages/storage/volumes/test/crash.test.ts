import test, { type ExecutionContext } from 'ava';

import type { VolumeSpec } from '../src/index.ts';
import { FakeDisk } from './fake-disk.ts';
import type { CrashMode, CrashPlan } from './fake-world.ts';
import { FakeWorld } from './fake-world.ts';
import { zero, type Region } from './fake-region.ts';
import { directorySpec, existingSpec, rawSpec, swapSpec } from './kind-specs.ts';
import { Machine } from './machine.ts';
import { randomFrom } from './random.ts';
import { diskSpec, encryption, kms, nodeId, passphrase, userSpec } from './specs.ts';
import { onEphemeral, systemSpecs } from './system-specs.ts';

type Scenario = {
  readonly disks: () => FakeDisk[];
  /** What new partitions hold of earlier days. */
  readonly oldData?: Region;
  readonly specs: () => readonly VolumeSpec[];
};

/** Volumes of every make on a host's disks, beside a disk that is somebody else's. */
const host: Scenario = {
  disks: () => [
    new FakeDisk('nvme0n1', 10_000),
    new FakeDisk('sda', 8000),
    new FakeDisk('sdb', 8000, { region: { kind: 'foreign', type: 'ntfs' } }),
  ],
  specs: () => [
    userSpec('data', 'disk.dev_path != "/dev/sda"', {
      encryption: encryption(passphrase(0, 'x'), nodeId(1), kms(2)),
    }),
    userSpec('logs', 'disk.dev_path != "/dev/sda"'),
    diskSpec('db', 'disk.dev_path == "/dev/sda"', { encryption: encryption(passphrase(2, 'x')) }),
  ],
};

/** A machine of our own: STATE, EPHEMERAL, and volumes whose mount lies on EPHEMERAL. */
const node: Scenario = {
  disks: () => [new FakeDisk('vda', 10_000), new FakeDisk('nvme0n1', 10_000), new FakeDisk('sda', 8000)],
  specs: () => [
    ...systemSpecs(),
    onEphemeral(
      userSpec('data', '!system_disk && disk.dev_path != "/dev/sda"', { encryption: encryption() }),
    ),
    onEphemeral(diskSpec('db', 'disk.dev_path == "/dev/sda"')),
  ],
};

/** What is not mounted, or not made by us, beside a filesystem that is somebody else's. */
const kinds: Scenario = {
  disks: () => [
    new FakeDisk('sda', 8000),
    new FakeDisk('sdb', 8000, {
      region: {
        kind: 'filesystem',
        type: 'ext4',
        uuid: 't',
        label: 'theirs',
        torn: false,
        files: new Set(['it']),
      },
    }),
  ],
  specs: () => [
    rawSpec('raw', 'disk.dev_path == "/dev/sda"', { blank: 'zeroes' }),
    rawSpec('locked', 'disk.dev_path == "/dev/sda"', { encryption: encryption(), blank: 'zeroes' }),
    swapSpec('swap', 'disk.dev_path == "/dev/sda"'),
    swapSpec('crypt', 'disk.dev_path == "/dev/sda"', { encryption: encryption(passphrase(0, 'x')) }),
    directorySpec('cache'),
    existingSpec('old', 'volume.label == "theirs"'),
  ],
};

/** Disks that nothing tells apart but what is on them, and free space that was somebody's once. */
const nameless: Scenario = {
  disks: () =>
    ['vdb', 'vdc'].map(
      (id) => new FakeDisk(id, 8000, { facts: { wwid: '', serial: '', busPath: `/pci/${id}` } }),
    ),
  oldData: { kind: 'noise' },
  specs: () => [
    diskSpec('db', 'disk.dev_path == "/dev/vdb"'),
    userSpec('data', 'disk.dev_path == "/dev/vdc"'),
    userSpec('safe', 'disk.dev_path == "/dev/vdc"', { encryption: encryption() }),
    swapSpec('swap', 'disk.dev_path == "/dev/vdc"'),
    rawSpec('raw', 'disk.dev_path == "/dev/vdc"', { blank: 'zeroes' }),
  ],
};

const modes: readonly CrashMode[] = ['before', 'torn', 'after'];

for (const [name, scenario] of Object.entries({ host, node, kinds, nameless })) {
  for (const power of [false, true]) {
    const how = power ? 'a power cut' : 'a kill -9';
    test(`${name}: ${how} at any change of the first run loses and doubles nothing`, async (t) => {
      const total = await countChanges(t, scenario);
      t.true(total > 10);
      for (let at = 0; at < total; at += 1) {
        for (const mode of modes) await survive(t, scenario, [{ at, mode }], power);
      }
    });
  }

  test(`${name}: one crash after another loses and doubles nothing`, async (t) => {
    const seed = 20_261_121;
    t.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const total = await countChanges(t, scenario);
    for (let run = 0; run < 150; run += 1) {
      const crashes = Array.from({ length: 4 }, () => ({
        at: Math.floor(random() * total),
        mode: modes[Math.floor(random() * modes.length)] ?? 'torn',
      }));
      await survive(t, scenario, crashes, random() < 0.5);
    }
  });
}

async function countChanges(
  t: ExecutionContext,
  { disks, specs, oldData = zero }: Scenario,
): Promise<number> {
  const world = new FakeWorld(disks());
  world.oldData = oldData;
  const machine = new Machine(world, specs());
  t.true(await machine.until(() => machine.isReady), show(machine));
  await machine.stop();
  return world.changes.length;
}

/** Runs until each crash, and once more to the end. */
async function survive(
  t: ExecutionContext,
  scenario: Scenario,
  crashes: readonly CrashPlan[],
  power: boolean,
): Promise<void> {
  const world = new FakeWorld(scenario.disks());
  world.oldData = scenario.oldData ?? zero;
  const story: string[] = [];
  for (const crash of crashes) {
    const machine = new Machine(world, scenario.specs(), crash);
    await machine.until(() => world.crashed || machine.isReady);
    story.push(`${crash.mode} ${world.changes.at(-1)}`);
    await machine.stop();
    if (power) world.cutPower();
  }
  const machine = new Machine(world, scenario.specs());
  const ready = await machine.until(() => machine.isReady);
  const where = `${story.join(', then ')}\n${show(machine)}`;
  await machine.stop();
  check(t, world, scenario, ready, where);
}

function check(
  t: ExecutionContext,
  world: FakeWorld,
  { specs }: Scenario,
  ready: boolean,
  where: string,
): void {
  t.true(ready, where);
  t.deepEqual(world.violations, [], where);
  const labels = world.partitions().map((partition) => partition.label);
  const wanted = specs().filter((spec) => spec.partition !== undefined);
  t.deepEqual(labels.toSorted(), wanted.map((spec) => spec.id).toSorted(), where);
  t.false(
    world.partitions().some((partition) => partition.underConstruction),
    where,
  );
  t.is(world.mounted.length, specs().filter((spec) => spec.mount !== undefined).length, where);
  t.is(world.swaps.size, specs().filter((spec) => spec.kind === 'swap').length, where);
  for (const { facts, slot } of world.disks.flatMap((disk) =>
    disk.slot.region.kind === 'gpt' ? disk.slot.region.partitions : [],
  )) {
    const seen = slot.region.kind === 'luks' ? slot.region.inner : slot;
    if (facts.label.startsWith('r-')) t.is(seen.stale, undefined, `${facts.label} shows old data\n${where}`);
  }
  for (const disk of world.disks) {
    const [first, ...others] = disk.table?.partitions ?? [];
    let end = (first?.offset ?? 0n) + (first?.size ?? 0n);
    for (const partition of others) {
      t.true(partition.offset >= end, where);
      end = partition.offset + partition.size;
    }
  }
}

function show(machine: Machine): string {
  const text = machine.manager
    .statuses()
    .map(({ id, phase, errorMessage, reason }) => `${id} ${phase} ${errorMessage ?? reason ?? ''}`);
  return [...text, machine.world.changes.join('; ')].join('\n');
}

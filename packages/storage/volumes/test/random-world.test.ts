import test from 'ava';

import type { VolumeSpec } from '../src/index.ts';
import { FakeDisk } from './fake-disk.ts';
import type { Region } from './fake-region.ts';
import { FakeWorld, type CrashMode } from './fake-world.ts';
import { Machine } from './machine.ts';
import { randomFrom } from './random.ts';
import { diskSpec, encryption, userSpec } from './specs.ts';

const modes: readonly CrashMode[] = ['before', 'torn', 'after'];
const runs = 80;
const firstSeed = 7_000;

/** Half of the disks are blank, the others are somebody's, or hold bytes that nobody knows. */
function randomDisks(random: () => number): FakeDisk[] {
  const count = 2 + Math.floor(random() * 4);
  return Array.from({ length: count }, (_, index) => {
    const region = randomRegion(random());
    return new FakeDisk(`sd${'abcdef'[index]}`, 700 + Math.floor(random() * 5000), { region });
  });
}

function randomRegion(choice: number): Region {
  if (choice < 0.6) return { kind: 'zero' };
  if (choice < 0.75) return { kind: 'foreign', type: 'ntfs' };
  if (choice < 0.85) return { kind: 'noise' };
  const files = new Set(['somebody was here']);
  return { kind: 'filesystem', type: 'xfs', uuid: 'theirs', label: 'theirs', torn: false, files };
}

function randomSpecs(random: () => number, disks: readonly FakeDisk[]): readonly VolumeSpec[] {
  const count = 2 + Math.floor(random() * 4);
  return Array.from({ length: count }, (_, index) => {
    const paths = disks
      .filter(() => random() < 0.6)
      .map((disk) => `disk.dev_path == "${disk.facts.devPath}"`);
    const match = paths.length === 0 ? 'false' : paths.join(' || ');
    const make = random() < 0.3 ? diskSpec : userSpec;
    return make(`v${index}`, match, random() < 0.5 ? { encryption: encryption() } : {});
  });
}

function contents(world: FakeWorld): readonly string[] {
  return world.disks.map(({ facts, slot }) => {
    const { region } = slot;
    if (region.kind !== 'gpt') return `${facts.id} ${region.kind}`;
    return `${facts.id} ${region.partitions
      .map((one) => one.facts.label)
      .toSorted()
      .join()}`;
  });
}

test('in random worlds with random crashes nothing foreign changes and every volume has one place', async (t) => {
  t.log(`seeds ${firstSeed} to ${firstSeed + runs - 1}`);
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const random = randomFrom(seed);
    const world = new FakeWorld(randomDisks(random));
    const specs = randomSpecs(random, world.disks);
    const foreign = world.disks.filter((disk) => disk.slot.region.kind !== 'zero');
    const before = foreign.map((disk) => disk.slot.region);
    for (let crashes = Math.floor(random() * 4); crashes > 0; crashes -= 1) {
      const mode = modes[Math.floor(random() * modes.length)] ?? 'torn';
      const machine = new Machine(world, specs, { at: Math.floor(random() * 30), mode });
      await machine.until(() => world.crashed || machine.isReady, 8);
      await machine.stop();
      if (random() < 0.5) world.cutPower();
    }
    const machine = new Machine(world, specs);
    await machine.until(() => machine.isReady, 12);
    const settled = machine.manager.statuses();
    await machine.stop();
    const where = `seed ${seed}\n${settled.map(({ id, phase, reason, errorMessage }) => `${id} ${phase} ${reason ?? errorMessage ?? ''}`).join('\n')}`;
    t.deepEqual(world.violations, [], where);
    t.true(
      foreign.every((disk, index) => disk.slot.region === before[index]),
      where,
    );
    const labels = world.partitions().map((partition) => partition.label);
    t.is(new Set(labels).size, labels.length, where);
    t.true(
      settled.every(
        ({ phase, reason }) => phase === 'ready' || (phase === 'waiting' && reason !== undefined),
      ),
      where,
    );

    const places = contents(world);
    world.cutPower();
    const again = new Machine(world, specs);
    const ready = settled.filter((status) => status.phase === 'ready').map((status) => status.id);
    t.true(await again.until(() => ready.every((id) => again.status(id).phase === 'ready')), where);
    await again.stop();
    t.deepEqual(contents(world), places, where);
    t.deepEqual(world.violations, [], where);
  }
});

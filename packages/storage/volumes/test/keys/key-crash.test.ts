import test, { type ExecutionContext } from 'ava';

import type { VolumeSpec } from '../../src/index.ts';
import { FakeDisk } from '../fake-disk.ts';
import type { FakeLuks } from '../fake-region.ts';
import { type CrashMode, type CrashPlan, FakeWorld } from '../fake-world.ts';
import { Machine } from '../machine.ts';
import { encryption, kms, nodeId, passphrase, userSpec } from '../specs.ts';

type Keys = Parameters<typeof encryption>;

/** A change of keys, and whether the machine still has the old ones in its memory of configurations. */
type Change = { readonly before: () => Keys; readonly after: () => Keys };

const changes: Readonly<Record<string, Change>> = {
  'an only passphrase is changed': {
    before: () => [passphrase(0, 'old')],
    after: () => [passphrase(0, 'new')],
  },
  'a passphrase becomes a key of a server': { before: () => [passphrase(0, 'old')], after: () => [kms(0)] },
  'a server is replaced and a slot is given up': {
    before: () => [kms(0), passphrase(1, 'old')],
    after: () => [kms(0, 'grpcs://other.example:4050'), nodeId(2)],
  },
};

const modes: readonly CrashMode[] = ['before', 'torn', 'after'];

for (const [name, change] of Object.entries(changes)) {
  test(`${name}: a crash at any change leaves a volume that opens, and the next run ends it`, async (t) => {
    const total = (await run(t, change, [])).length;
    t.true(total > 2);
    for (let at = 0; at < total; at += 1) {
      for (const mode of modes) await run(t, change, [{ at, mode }]);
    }
  });
}

/** Makes the volume with the keys before, then changes them, through crashes. @returns what the last run changed. */
async function run(
  t: ExecutionContext,
  { before, after }: Change,
  crashes: readonly CrashPlan[],
): Promise<readonly string[]> {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  await toEnd(t, new Machine(world, [spec(before())]), 'made');
  world.cutPower();
  const changed = spec(after(), before());
  for (const crash of crashes) {
    const machine = new Machine(world, [changed], crash);
    await machine.until(() => world.crashed || isDone(machine), 20);
    await machine.stop();
    world.cutPower();
  }
  const machine = new Machine(world, [changed]);
  await toEnd(t, machine, crashes.map(({ at, mode }) => `${mode} ${at}`).join());
  const region = world.slot('/dev/sda1')?.region as FakeLuks;
  t.deepEqual(
    [...region.keys.keys()].toSorted((a, b) => a - b),
    after().map(({ slot }) => slot),
  );
  t.deepEqual(world.violations, []);
  return world.changes;
}

async function toEnd(t: ExecutionContext, machine: Machine, where: string): Promise<void> {
  const done = await machine.until(() => isDone(machine));
  const [status] = machine.manager.statuses();
  const story = [where, status?.phase, status?.errorMessage, ...machine.world.changes].join('\n');
  t.true(done, `${story}\n${JSON.stringify(status?.encryptionFailedSyncs)}`);
  await machine.stop();
}

function isDone(machine: Machine): boolean {
  return machine.isReady && machine.manager.unsynchronised().length === 0;
}

function spec(keys: Keys, previousKeys?: Keys): VolumeSpec {
  const encrypted = { encryption: encryption(...keys) };
  return userSpec('data', 'true', previousKeys === undefined ? encrypted : { ...encrypted, previousKeys });
}

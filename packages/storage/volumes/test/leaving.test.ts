import test, { type ExecutionContext } from 'ava';

import type { VolumeSpec } from '../src/index.ts';
import { FakeDisk } from './fake-disk.ts';
import { mountOf } from './fake-facts.ts';
import { slot, type FakeFilesystem, type Region } from './fake-region.ts';
import { FakeWorld } from './fake-world.ts';
import { existingSpec, swapSpec } from './kind-specs.ts';
import { Machine } from './machine.ts';
import { diskSpec, encryption, passphrase, userSpec } from './specs.ts';

const on = 'disk.dev_path == "/dev/sda"';
const key = encryption(passphrase(0, 'x'));
const { filesystem } = userSpec('data', on);
const ext4 = { filesystem: { ...filesystem, type: 'ext4' } } as const;
const theirs: FakeFilesystem = {
  kind: 'filesystem',
  type: 'xfs',
  uuid: 'uuid-theirs',
  label: 'theirs',
  torn: false,
  files: new Set(['it']),
};

type Case = {
  readonly why: string;
  readonly before: VolumeSpec;
  /** The document that the next process begins with. */
  readonly after: VolumeSpec;
  readonly code: string;
  /** What has changed in between. */
  readonly meanwhile?: (world: FakeWorld) => void;
};

const plain = userSpec('data', on);
const encrypted = userSpec('data', on, { encryption: key });
const existing = existingSpec('data', 'volume.label == "theirs"');

const cases: readonly Case[] = [
  { why: 'of another type', before: plain, after: userSpec('data', on, ext4), code: 'ERR_VOLUME_CONTENT' },
  { why: 'to be encrypted', before: plain, after: encrypted, code: 'ERR_VOLUME_NOT_ENCRYPTED' },
  { why: 'to be in clear', before: encrypted, after: plain, code: 'ERR_VOLUME_ENCRYPTED' },
  {
    why: 'there twice',
    before: encrypted,
    after: encrypted,
    code: 'ERR_VOLUME_AMBIGUOUS',
    meanwhile: (world) => {
      world.intents.clear();
      world.disks.push(new FakeDisk('sdb', 8000, { region: copyOf(world.disks[0]) }));
    },
  },
  {
    why: 'matched twice',
    before: existing,
    after: existing,
    code: 'ERR_VOLUME_AMBIGUOUS',
    meanwhile: (world) => world.disks.push(new FakeDisk('sdb', 8000, { region: theirs })),
  },
  {
    why: 'a whole disk there twice',
    before: diskSpec('data', on),
    after: diskSpec('data', on),
    code: 'ERR_VOLUME_AMBIGUOUS',
    meanwhile: (world) => {
      world.intents.clear();
      world.disks.push(new FakeDisk('sdb', 8000, { region: world.disks[0]?.slot.region ?? theirs }));
    },
  },
  {
    why: 'swap space to be encrypted',
    before: swapSpec('data', on),
    after: swapSpec('data', on, { encryption: key }),
    code: 'ERR_VOLUME_NOT_ENCRYPTED',
  },
];

/** A process uses a volume and ends; the next one fails with it. */
async function failing(t: ExecutionContext, { before, after, code, meanwhile }: Case) {
  const region: Region = before.kind === 'existing' ? theirs : { kind: 'zero' };
  const world = new FakeWorld([new FakeDisk('sda', 8000, { region })]);
  const first = new Machine(world, [before]);
  t.true(await first.until(() => first.isReady), JSON.stringify(first.status(before.id).reason));
  t.is(world.mounted.length + world.swaps.size, 1);
  await first.stop();
  meanwhile?.(world);
  const machine = new Machine(world, [after]);
  t.teardown(() => machine.stop());
  t.true(await machine.until(() => machine.status(after.id).phase === 'failed'));
  t.is(machine.status(after.id).errorCode, code);
  t.is(world.mounted.length + world.swaps.size, 1);
  return { world, machine };
}

const uses = ({ mounted, swaps, mappings }: FakeWorld): readonly number[] => [
  mounted.length,
  swaps.size,
  mappings.size,
];

for (const one of cases) {
  test(`what failed because it is ${one.why} is unmounted and locked when its document goes`, async (t) => {
    const { world, machine } = await failing(t, one);
    machine.manager.apply([]);
    t.true(await machine.until(() => machine.manager.statuses().length === 0));
    t.deepEqual(uses(world), [0, 0, 0]);
    t.deepEqual(world.violations, []);
  });

  test(`what failed because it is ${one.why} is unmounted and locked when the node stops`, async (t) => {
    const { world, machine } = await failing(t, one);
    await machine.manager.close();
    t.deepEqual(uses(world), [0, 0, 0]);
  });
}

test('a volume that waits for its records is unmounted when its document goes', async (t) => {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  const first = new Machine(world, [diskSpec('data', on, { encryption: key })]);
  t.true(await first.until(() => first.isReady));
  await first.stop();
  const records = Promise.withResolvers<void>();
  world.slowRecords = records.promise;
  const machine = new Machine(world, [diskSpec('data', on, { encryption: key })]);
  t.teardown(() => machine.stop());
  t.true(await machine.until(() => machine.status('u-data').reason !== undefined));
  machine.manager.apply([]);
  t.true(await machine.until(() => machine.manager.statuses().length === 0));
  t.deepEqual(uses(world), [0, 0, 0]);
  records.resolve();
});

test('a mapping of our name on a device that is not ours stays open', async (t) => {
  const world = new FakeWorld([new FakeDisk('sda', 8000), new FakeDisk('sdb', 8000, { region: theirs })]);
  const mapping = { name: 'luks2-u-data', device: '/dev/sdb', uuid: 'uuid-theirs', slot: slot(theirs) };
  world.mappings.set('luks2-u-data', mapping);
  const machine = new Machine(world, [plain]);
  t.teardown(() => machine.stop());
  t.true(await machine.until(() => machine.isReady));
  machine.manager.apply([]);
  t.true(await machine.until(() => machine.manager.statuses().length === 0));
  t.is(world.mappings.size, 1);
});

test('a volume under a mount of somebody else is told, and closed once that has gone', async (t) => {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  const machine = new Machine(world, [plain]);
  t.teardown(() => machine.stop());
  t.true(await machine.until(() => machine.isReady));
  world.mounted.push(mountOf('tmpfs', '/var/mnt/data', 'tmpfs', plain.mount.flags));
  machine.manager.apply([]);
  t.true(await machine.until(() => machine.status('u-data').phase === 'failed'));
  t.like(machine.status('u-data'), {
    errorCode: 'ERR_VOLUME_TARGET_TAKEN',
    errorMessage: 'tmpfs was mounted over /var/mnt/data: unmount it, and the volume is closed',
  });
  world.mounted.pop();
  t.true(await machine.until(() => machine.manager.statuses().length === 0));
  t.deepEqual(uses(world), [0, 0, 0]);
});

function copyOf(disk: FakeDisk | undefined): Region {
  if (disk?.slot.region.kind !== 'gpt') throw new TypeError('no table');
  const partitions = disk.slot.region.partitions.map(({ facts, slot }) => ({
    facts: { ...facts, partitionGuid: `${facts.partitionGuid}-b`, devPath: '/dev/sdb1' },
    slot: { region: slot.region },
  }));
  return { kind: 'gpt', partitions };
}

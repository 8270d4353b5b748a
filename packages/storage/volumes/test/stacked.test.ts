import type { DiscoveredVolume, Disk, Mapping, RaidArray } from '@nodecore/block';
import test, { type ExecutionContext } from 'ava';

import { identityOf, isDisk, isLasting, type VolumeSpec } from '../src/index.ts';
import { FakeDisk, diskFacts } from './fake-disk.ts';
import type { Region } from './fake-region.ts';
import { FakeWorld } from './fake-world.ts';
import { Machine } from './machine.ts';
import { diskSpec, userSpec } from './specs.ts';

const array: RaidArray = {
  level: 'raid1',
  metadata: '1.0',
  state: 'clean',
  members: 2,
  missing: 0,
  uuid: '6c1f0c2e-4f1d',
};
const multipath: Mapping = { name: 'mpatha', uuid: 'mpath-3600a', maker: 'mpath' };
const nothing = { wwid: '', serial: '', busPath: '/virtual' };

/** A disk that something is made of. */
class Part extends FakeDisk {
  readonly #holders: readonly string[];
  readonly #isMember: boolean;

  constructor(id: string, region: Region, holders: readonly string[], isMember: boolean = true) {
    super(id, 8000, { region });
    this.#holders = holders;
    this.#isMember = isMember;
  }

  override volumes(): readonly DiscoveredVolume[] {
    const [whole, ...partitions] = super.volumes();
    if (whole === undefined) return [];
    const member = { type: 'linux_raid_member', usage: 'raid', offset: 0n, uuid: 'x', label: '' } as const;
    const signatures = this.#isMember ? [...whole.signatures, member] : whole.signatures;
    return [{ ...whole, holders: this.#holders, signatures }, ...partitions];
  }
}

function stacked(id: string, region: Region, facts: Partial<Disk>): FakeDisk {
  return new FakeDisk(id, 8000, { region, facts: { ...nothing, ...facts } });
}

function start(t: ExecutionContext, disks: FakeDisk[], specs: readonly VolumeSpec[]) {
  const world = new FakeWorld(disks);
  const machine = new Machine(world, specs);
  t.teardown(() => machine.stop());
  return { world, machine };
}

const reasonFor = (machine: Machine, disk: string): string | undefined =>
  machine.manager.statuses()[0]?.candidates?.find((one) => one.disk === disk)?.reason;

test('a volume is made on an array, and on no part of it, whichever of them the selector matches', async (t) => {
  const region: Region = { kind: 'gpt', partitions: [] }; // with its superblock at the end, a part shows all of it
  const disks = (): FakeDisk[] => [
    new Part('sda', region, ['md127']),
    new Part('sdb', region, ['md127']),
    stacked('md127', region, { array }),
  ];
  const { world, machine } = start(t, disks(), [userSpec('data', 'true')]);
  t.true(await machine.until(() => machine.isReady));
  t.is(machine.status('u-data').location, '/dev/md127p1');
  await machine.stop();
  world.cutPower();

  const next = new Machine(world, [userSpec('data', 'true')]);
  t.teardown(() => next.stop());
  t.true(await next.until(() => next.isReady), 'its parts carry the same label');
  await next.stop();
  world.cutPower();

  world.disks.splice(2);
  for (const [at, id] of ['sda', 'sdb'].entries()) world.disks[at] = new Part(id, region, []);
  const alone = new Machine(world, [userSpec('data', 'true')]);
  t.teardown(() => alone.stop());
  t.true(await alone.until(() => alone.status('u-data').phase === 'missing'), 'not assembled');
  t.regex(alone.status('u-data').reason ?? '', /on disk md-uuid-6c1f0c2e-4f1d, which is not here/);
});

test('a part of an array is named as one', async (t) => {
  const { machine } = start(
    t,
    [new Part('sda', { kind: 'zero' }, ['md0']), stacked('md0', { kind: 'noise' }, { array })],
    [userSpec('data', 'true')],
  );
  t.true(await machine.until(() => machine.status('u-data').candidates !== undefined));
  t.is(reasonFor(machine, 'sda'), 'is part of md0, an array');
});

test('a whole multipath device is a disk; its paths are none, and without it nothing else stands for it', async (t) => {
  const region: Region = { kind: 'zero' };
  const paths = [new Part('sda', region, ['dm-0'], false), new Part('sdb', region, ['dm-0'], false)];
  const { world, machine } = start(
    t,
    [...paths, stacked('dm-0', region, { mapping: multipath })],
    [diskSpec('data', 'true')],
  );
  t.true(await machine.until(() => machine.isReady));
  t.is(machine.status('u-data').location, '/dev/dm-0');
  await machine.stop();
  world.cutPower();
  const made = world.disks[2]?.slot.region ?? region;

  world.disks.splice(0, 3, new FakeDisk('sda', 8000, { region: made }));
  const alone = new Machine(world, [diskSpec('data', 'true')]);
  t.true(await alone.until(() => alone.status('u-data').phase === 'missing'));
  await alone.stop();

  world.disks.push(stacked('dm-7', made, { mapping: multipath }));
  world.disks[0] = new Part('sda', made, ['dm-7'], false);
  const again = new Machine(world, [diskSpec('data', 'true')]);
  t.teardown(() => again.stop());
  t.true(await again.until(() => again.isReady));
  t.is(again.status('u-data').location, '/dev/dm-7');
  t.deepEqual(world.violations, []);
});

test('what is seen on a path is not found there', async (t) => {
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], [userSpec('data', 'true')]);
  t.true(await machine.until(() => machine.isReady));
  await machine.stop();
  world.cutPower();
  world.intents.clear();
  const region = world.disks[0]?.slot.region;
  if (region === undefined) throw new TypeError('no disk');
  world.disks.splice(0, 1, new Part('sda', region, ['dm-0'], false));
  world.disks.push(stacked('dm-0', region, { mapping: multipath }));
  const next = new Machine(world, [userSpec('data', 'true')]);
  t.teardown(() => next.stop());
  t.true(await next.until(() => next.status('u-data').candidates !== undefined));
  t.is(reasonFor(next, 'sda'), 'is a path to dm-0, the multipath device mpatha');
  t.deepEqual(world.changes, []);
});

const refused: readonly (readonly [string, Partial<Disk>, RegExp])[] = [
  [
    'a logical volume',
    {
      mapping: {
        name: 'group-a',
        uuid: 'LVM-x',
        maker: 'LVM',
        lvm: { volumeGroup: 'group', volumeGroupUuid: '', logicalVolume: 'a', logicalVolumeUuid: '' },
      },
    },
    /^logical volume group\/a; volumes are made on disks, arrays of md and multipath devices$/,
  ],
  [
    'an opened encryption',
    { mapping: { name: 'luks2-u-x', uuid: 'CRYPT-LUKS2-x', maker: 'CRYPT' } },
    /^opened encryption luks2-u-x; /,
  ],
  [
    'a partition of a multipath device',
    { mapping: { name: 'mpatha1', uuid: 'part1-mpath-3600a', maker: 'part1' } },
    /^partition mpatha1 of a mapping; /,
  ],
  ['any other mapping', { mapping: { name: 'x', uuid: '', maker: '' } }, /^device-mapper device x; /],
  ['a mapping of which nothing is known', {}, /^device-mapper device; /],
];

for (const [what, facts, reason] of refused) {
  test(`${what} is never taken for a volume, and is named as what it is`, async (t) => {
    for (const spec of [diskSpec('data', 'true'), userSpec('data', 'true')]) {
      const { world, machine } = start(t, [stacked('dm-0', { kind: 'zero' }, facts)], [spec]);
      t.true(await machine.until(() => machine.status('u-data').candidates !== undefined));
      t.regex(reasonFor(machine, 'dm-0') ?? '', reason);
      t.deepEqual(world.changes, []);
    }
  });
}

test('what can not be had on a multipath device or an array is told', async (t) => {
  const onPaths = start(
    t,
    [stacked('dm-0', { kind: 'zero' }, { mapping: multipath })],
    [userSpec('data', 'true')],
  );
  t.true(await onPaths.machine.until(() => onPaths.machine.status('u-data').candidates !== undefined));
  t.regex(reasonFor(onPaths.machine, 'dm-0') ?? '', /takes no partitions .*: set volumeType to disk$/);
  const nameless = stacked('md0', { kind: 'zero' }, { array: { ...array, uuid: '' } });
  const onArray = start(t, [nameless], [diskSpec('data', 'true')]);
  t.true(await onArray.machine.until(() => onArray.machine.status('u-data').candidates !== undefined));
  t.regex(reasonFor(onArray.machine, 'md0') ?? '', /do not agree on its UUID/);
  t.deepEqual([onPaths.world.changes, onArray.world.changes], [[], []]);
});

test('an array and a multipath device are known by their UUIDs, whatever the kernel calls them', (t) => {
  for (const [facts, other] of [
    [{ array }, { array: { ...array, uuid: 'another' } }],
    [{ mapping: multipath }, { mapping: { ...multipath, uuid: 'mpath-3600b' } }],
  ] as const) {
    const disk: Disk = { ...diskFacts('md0', 1n << 30n), ...nothing, ...facts };
    const identity = identityOf(disk);
    t.true(isLasting(identity));
    t.true(isDisk({ ...disk, id: 'md127', devPath: '/dev/md127' }, identity));
    t.false(isDisk({ ...disk, ...other }, identity));
  }
});

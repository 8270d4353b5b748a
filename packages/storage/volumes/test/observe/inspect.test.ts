import type { Inventory, Mount } from '@nodecore/block';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import type { Observations } from '../../src/effects.ts';
import { DeviceReader } from '../../src/observe/device-reader.ts';
import { inspect } from '../../src/observe/inspect.ts';
import { FakeDisk } from '../fake-disk.ts';
import { mountOf } from '../fake-facts.ts';
import { encryption, passphrase, userSpec } from '../specs.ts';

const flags = { readOnly: false, nosuid: true, nodev: true, noexec: false, noatime: false };
const partition = {
  index: 1,
  partitionGuid: 'guid',
  typeGuid: 'type',
  label: 'u-data',
  offset: 0n,
  size: 1000n,
  attributes: 0n,
  underConstruction: true,
  devPath: '/dev/sda1',
};
const secret = encryption(passphrase(0, 'right'));
const spec = userSpec('data', 'true', { encryption: secret });

/** A machine that counts the looks at what is on a device. */
function machine(mounts: readonly Mount[], entry = partition) {
  const disk = new FakeDisk('sda', 4000);
  const looks: string[] = [];
  const look = (name: string) => async (): Promise<never> => {
    looks.push(name);
    throw new Error(`${name} was asked`);
  };
  const effects = {
    readTable: async () => ({ partitions: [entry], free: [] }),
    deviceSize: async () => 1000n,
    deviceNumber: async (path: string) => path,
    mounts: async () => mounts,
    probe: look('probe'),
    emptiness: look('emptiness'),
    isMarked: look('isMarked'),
    mapping: look('mapping'),
  } as unknown as Observations;
  const found = { disk: disk.facts, devPath: '/dev/sda1', size: 1000n, partition, recorded: false };
  const inventory: Inventory = { disks: [disk.facts], volumes: [] };
  const subject = { spec, found, inventory, record: undefined, isInUse: false };
  return { looks, subject, reader: new DeviceReader(effects, new FakeClock()) };
}

test('between the steps of its making a volume is not read, and is refused when its mapping was mounted', async (t) => {
  const { looks, subject, reader } = machine([]);
  const seen = await inspect({ ...subject, made: 'opened' }, reader);
  t.like(seen, { underConstruction: true, size: 1000n, mountedAt: [], content: { kind: 'unknown' } });
  t.deepEqual(looks, []);
  const mounted = machine([mountOf('/dev/mapper/luks2-u-data', '/mnt', 'xfs', flags)]);
  const known = await inspect({ ...mounted.subject, made: 'opened' }, mounted.reader);
  t.like(known, { mountedAt: ['/mnt'] });
});

for (const [title, made, entry] of [
  ['what an earlier run has begun', 'nothing', partition],
  ['what nobody makes any more', 'opened', { ...partition, underConstruction: false }],
] as const)
  test(`${title} is read before anything is decided`, async (t) => {
    const { looks, subject, reader } = machine([], entry);
    await t.throwsAsync(inspect({ ...subject, made }, reader), { message: 'probe was asked' });
    t.deepEqual(looks, ['probe']);
  });

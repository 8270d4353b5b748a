import { Access } from '@nodecore/runtime';
import { memoryState, Store } from '@nodecore/state';
import { Latest } from '@nodecore/waiting';
import test from 'ava';
import { pino } from 'pino';

import { discoveryController, publishInventory, publishStatus } from '../src/discovery/discovery.ts';
import {
  blockDevices,
  discoveredVolumes,
  discoveryStatuses,
  disks,
  systemDisks,
} from '../src/discovery/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { disk, inventory, partition } from './inventory.ts';

/** As the controller gets it for one reconciliation. */
function accessOf(store: Store): Access {
  const parts = { log: pino({ level: 'silent' }), inventory: new Latest<never>(), systemDisk: true };
  return new Access(memoryState(store), discoveryController(parts));
}

const volumes = [partition('vda', 1, { partitionLabel: 'META' })];

test('disks come and go as resources, and an unchanged inventory writes nothing', async (t) => {
  const store = new Store();
  const access = accessOf(store);
  const both = inventory([disk('vda'), disk('vdb', { error: 'EIO' })], volumes);
  await publishInventory(access, both, { systemDisk: true });
  const { resources } = store.list(kindOf(disks));
  t.deepEqual(
    resources.map(({ metadata, spec }) => [metadata.id, (spec as { error?: string }).error]),
    [
      ['vda', undefined],
      ['vdb', 'EIO'],
    ],
  );
  t.like(store.get({ ...kindOf(systemDisks), id: 'system-disk' })?.spec, {
    diskID: 'vda',
    devPath: '/dev/vda',
  });
  const { revision } = store;
  await publishInventory(access, both, { systemDisk: true });
  t.is(store.revision, revision);
  await publishInventory(access, inventory([disk('vdb')], []), { systemDisk: true });
  t.is(store.list(kindOf(discoveredVolumes)).resources.length, 0);
  t.is(store.list(kindOf(systemDisks)).resources.length, 0);
});

test('on a host that is not ours no disk is the system disk', async (t) => {
  const store = new Store();
  await publishInventory(accessOf(store), inventory([disk('vda')], volumes), { systemDisk: false });
  t.is(store.list(kindOf(systemDisks)).resources.length, 0);
});

test('a stacked device is a resource with what is below it, what is above it, and what its maker calls it', async (t) => {
  const store = new Store();
  const lvm = {
    volumeGroup: 'vg',
    volumeGroupUuid: 'g',
    logicalVolume: 'lv',
    logicalVolumeUuid: 'v',
  };
  const mapping = { name: 'vg-lv', uuid: 'LVM-gv', maker: 'LVM', lvm };
  const below = partition('vda', 1, { name: 'lvm2-pv', holders: ['dm-0'], deviceNumber: '253:1' });
  const above = { ...partition('', 0, { secondaries: ['vda1'] }), id: 'dm-0', type: 'disk' } as const;
  const found = inventory([disk('vda'), disk('dm-0', { mapping })], [below, above]);
  await publishInventory(accessOf(store), found, { systemDisk: false });
  const spec = (id: string): unknown => store.get({ ...kindOf(blockDevices), id })?.spec;
  t.like(spec('vda1'), { type: 'partition', number: '253:1', parent: 'vda', holders: ['dm-0'] });
  t.like(spec('dm-0'), {
    type: 'disk',
    secondaries: ['vda1'],
    mapping: { name: 'vg-lv', maker: 'LVM', lvm: { volume_group: 'vg', logical_volume: 'lv' } },
  });
});

test('the status of discovery names what could not be read', async (t) => {
  const store = new Store();
  const access = accessOf(store);
  const found = inventory([disk('vda')], [partition('vda', 1), partition('vda', 2, { error: 'EIO' })]);
  const spec = (): unknown => store.get({ ...kindOf(discoveryStatuses), id: 'discovery' })?.spec;
  await publishStatus(access, found, { ready: false });
  t.deepEqual(spec(), { ready: false, disks: 1, volumes: 2, unreadable: ['vda2'] });
  await publishStatus(access, found, { ready: true });
  t.like(spec(), { ready: true });
});

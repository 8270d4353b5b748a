import { Store } from '@nodecore/state';
import { Latest } from '@nodecore/waiting';
import test from 'ava';

import { publishInventory, publishStatus } from '../src/discovery/discovery.ts';
import {
  blockDevices,
  discoveredVolumes,
  discoveryStatuses,
  disks,
  systemDisks,
} from '../src/discovery/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { disk, inventory, partition } from './inventory.ts';

const volumes = [partition('vda', 1, { partitionLabel: 'META' })];

test('disks come and go as resources, and an unchanged inventory writes nothing', (t) => {
  const store = new Store();
  const parts = { store, inventory: new Latest<never>(), systemDisk: true };
  const both = inventory([disk('vda'), disk('vdb', { error: 'EIO' })], volumes);
  publishInventory(parts, both);
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
  publishInventory(parts, both);
  t.is(store.revision, revision);
  publishInventory(parts, inventory([disk('vdb')], []));
  t.is(store.list(kindOf(discoveredVolumes)).resources.length, 0);
  t.is(store.list(kindOf(systemDisks)).resources.length, 0);
});

test('on a host that is not ours no disk is the system disk', (t) => {
  const store = new Store();
  publishInventory({ store, inventory: new Latest(), systemDisk: false }, inventory([disk('vda')], volumes));
  t.is(store.list(kindOf(systemDisks)).resources.length, 0);
});

test('a stacked device is a resource with what is below it, what is above it, and what its maker calls it', (t) => {
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
  publishInventory({ store, inventory: new Latest(), systemDisk: false }, found);
  const spec = (id: string): unknown => store.get({ ...kindOf(blockDevices), id })?.spec;
  t.like(spec('vda1'), { type: 'partition', number: '253:1', parent: 'vda', holders: ['dm-0'] });
  t.like(spec('dm-0'), {
    type: 'disk',
    secondaries: ['vda1'],
    mapping: { name: 'vg-lv', maker: 'LVM', lvm: { volume_group: 'vg', logical_volume: 'lv' } },
  });
});

test('the status of discovery names what could not be read', (t) => {
  const store = new Store();
  const parts = { store, inventory: new Latest<never>(), systemDisk: false };
  const found = inventory([disk('vda')], [partition('vda', 1), partition('vda', 2, { error: 'EIO' })]);
  const spec = (): unknown => store.get({ ...kindOf(discoveryStatuses), id: 'discovery' })?.spec;
  publishStatus(parts, found, { ready: false });
  t.deepEqual(spec(), { ready: false, disks: 1, volumes: 2, unreadable: ['vda2'] });
  publishStatus(parts, found, { ready: true });
  t.like(spec(), { ready: true });
});

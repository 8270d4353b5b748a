import test from 'ava';

import { publishInventory } from '../src/controllers/discovery.ts';
import { Latest } from '../src/controllers/latest.ts';
import { discoveredVolumes, disks, kindOf, systemDisks } from '../src/resources/definitions.ts';
import { Store } from '../src/resources/store.ts';
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

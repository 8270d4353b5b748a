import type { DiscoveredVolume } from '@nodecore/block';
import type { VolumeStatus } from '@nodecore/volumes';
import test from 'ava';

import type { StorageFacts } from '../src/volumes/storage-facts.ts';
import { chooseTargets, type WipeTarget } from '../src/wipes/targets.ts';
import { Wipes } from '../src/wipes/wipes.ts';
import { disk, inventory, partition } from './inventory.ts';

const whole = (id: string, more: Partial<DiscoveredVolume> = {}): DiscoveredVolume => ({
  ...partition(id, 0),
  id,
  type: 'disk',
  devPath: `/dev/${id}`,
  parent: '',
  parentDevPath: '',
  ...more,
});

const status = (id: string, more: Partial<VolumeStatus>): VolumeStatus => ({
  id,
  type: 'partition',
  phase: 'ready',
  configuredEncryptionKeys: [],
  encryptionFailedSyncs: [],
  ...more,
});

const ground: StorageFacts = {
  inventory: inventory(
    [
      disk('sda'),
      disk('sdb'),
      disk('sdc', { readonly: true }),
      disk('sdd'),
      disk('sr0', { cdrom: true }),
      disk('vda'),
      disk('dm-0', { mapping: { name: 'luks2-u-lock', uuid: '', maker: 'CRYPT' } }),
      disk('md0', { secondaryDisks: ['sdd'] }),
    ],
    [
      whole('sda', { name: 'xfs' }),
      whole('sdb', { name: 'gpt' }),
      partition('sdb', 1),
      partition('sdb', 2, { holders: ['dm-0'] }),
      partition('sdb', 3, { partitionUuid: 'guid' }),
      whole('sdc'),
      whole('sdd'),
      whole('sr0'),
      whole('vda', { name: 'gpt' }),
      partition('vda', 1, { partitionLabel: 'META' }),
      partition('vda', 2, { partitionLabel: 'rest' }),
      ...['EFI', 'BOOT', 'BIOS'].map((partitionLabel, index) =>
        partition('vda', 3 + index, { partitionLabel, partitionUuid: `guid-${index}` }),
      ),
      whole('dm-0'),
      whole('md0'),
    ],
  ),
  statuses: [
    status('u-data', { location: '/dev/sdb1', mountLocation: '/dev/sdb1', parentLocation: '/dev/sdb' }),
    status('u-lock', { location: '/dev/sdb2', mountLocation: '/dev/mapper/luks2-u-lock' }),
    status('u-gone', { phase: 'closed', location: '/dev/sdb3', parentLocation: '/dev/sdz' }),
  ],
};

const none = (): never[] => [];

const choose = (names: readonly string[], dropPartition = false): readonly string[] =>
  chooseTargets({ devices: names, dropPartition }, ground).map(({ volume }) => volume.devPath);

test('what nobody uses may be wiped: a disk, a partition beside others, one that a volume has given up', (t) => {
  t.deepEqual(choose(['sda', 'sdb3', 'vda2']), ['/dev/sda', '/dev/sdb3', '/dev/vda2']);
  t.deepEqual(choose(['sdb3'], true), ['/dev/sdb3']);
  t.throws(() => choose(['sdb1'], true), {
    code: 'ERR_WIPE_REFUSED',
    message: /is not where the table of sdb has it/,
  });
});

for (const [name, code, message] of [
  ['sdz', 'ERR_WIPE_NOT_FOUND', 'there is no disk or partition sdz'],
  ['/dev/sda', 'ERR_WIPE_REQUEST', '/dev/sda is a path: name the device as the kernel does, like nvme0n1'],
  ['sdc', 'ERR_WIPE_REFUSED', 'sdc is read-only'],
  ['sr0', 'ERR_WIPE_REFUSED', 'sr0 is an optical drive'],
  ['sdd', 'ERR_WIPE_REFUSED', 'sdd is part of md0'],
  ['sdb2', 'ERR_WIPE_REFUSED', 'sdb2 is part of dm-0, which is stacked on sdb2'],
  ['sdb', 'ERR_WIPE_REFUSED', 'sdb is part of dm-0, which is stacked on sdb2'],
  ['sdb1', 'ERR_WIPE_REFUSED', 'sdb1 is used by volume u-data: take that out of the configuration first'],
  ['dm-0', 'ERR_WIPE_REFUSED', 'dm-0 is used by volume u-lock: take that out of the configuration first'],
  ['vda', 'ERR_WIPE_REFUSED', 'vda is the system disk'],
  ['vda1', 'ERR_WIPE_REFUSED', 'vda1 is META, without which the node does not know its disk'],
  ['vda3', 'ERR_WIPE_REFUSED', 'vda3 is what starts the machine'],
  ['vda4', 'ERR_WIPE_REFUSED', 'vda4 is what starts the machine'],
  ['vda5', 'ERR_WIPE_REFUSED', 'vda5 is what starts the machine'],
] as const) {
  test(`a wipe of ${name} is refused with ${code}, also beside one that could be: ${message}`, (t) => {
    t.throws(() => choose([name]), { code, message });
    t.throws(() => choose(['sda', name]), { code, message });
  });
}

test('what starts the machine keeps its entry; on another disk the same label is nothing to keep', (t) => {
  for (const name of ['vda3', 'vda4', 'vda5']) {
    const refused = { code: 'ERR_WIPE_REFUSED', message: `${name} is what starts the machine` };
    t.throws(() => choose([name], true), refused);
  }
  const other = inventory(
    [disk('sda')],
    [whole('sda', { name: 'gpt' }), partition('sda', 1, { partitionLabel: 'EFI', partitionUuid: 'guid' })],
  );
  for (const dropPartition of [false, true]) {
    const order = { devices: ['sda1'], dropPartition };
    t.is(chooseTargets(order, { inventory: other, statuses: [] }).length, 1);
  }
});

test('nothing, a name twice, and a disk without an entry to drop are no requests', (t) => {
  t.throws(() => choose([]), { code: 'ERR_WIPE_REQUEST' });
  t.throws(() => choose(['sda', 'sda']), { code: 'ERR_WIPE_REQUEST' });
  t.throws(() => choose(['sda'], true), { code: 'ERR_WIPE_REQUEST' });
});

const replaced = (change: Partial<DiscoveredVolume>, serial = ''): StorageFacts => ({
  inventory: inventory([disk('sda', { serial })], [whole('sda', { name: 'xfs', uuid: 'first', ...change })]),
  statuses: [],
});
const only = (ground: StorageFacts, identities: readonly string[] = []): WipeTarget | undefined =>
  chooseTargets({ devices: ['sda'], identities, dropPartition: false }, ground)[0];

test('a name that another disk has got, or that holds something else by now, is not what was shown', (t) => {
  const shown = only(replaced({}))?.identity ?? '';
  t.is(only(replaced({}), [shown])?.identity, shown);
  for (const other of [replaced({}, 'OTHER'), replaced({ uuid: 'second' }), replaced({ name: 'ext4' })])
    t.throws(() => only(other, [shown]), { code: 'ERR_WIPE_REFUSED', message: /not the device any more/ });
  t.throws(() => only(replaced({}), [shown, shown]), { code: 'ERR_WIPE_REQUEST' });
});

test('what a volume will know as its own is its own before it was found', (t) => {
  const waiting = [status('u-data', { phase: 'waiting' }), status('u-very-long-name', { phase: 'waiting' })];
  const on = (...volumes: readonly DiscoveredVolume[]): StorageFacts => ({
    inventory: inventory([disk('sda')], volumes),
    statuses: waiting,
  });
  const message = 'sda belongs to volume u-data: take that out of the configuration first';
  const refused = { code: 'ERR_WIPE_REFUSED', message };
  t.throws(() => only(on(whole('sda', { name: 'luks', label: 'u-data' }))), refused);
  t.throws(() => only(on(whole('sda', { name: 'xfs', label: 'u-data' }))), refused);
  t.throws(() => only(on(whole('sda'), partition('sda', 1, { partitionLabel: 'u-data' }))), refused);
  t.throws(() => only(on(whole('sda', { name: 'xfs', label: 'u-ver-070309' }))), {
    code: 'ERR_WIPE_REFUSED',
  });
  t.is(only(on(whole('sda', { name: 'xfs', label: 'data' })))?.disk.id, 'sda');
  // One that is somewhere else has no claim to a copy.
  const found = { ...on(whole('sda', { name: 'luks', label: 'u-data' })) };
  t.is(only({ ...found, statuses: [status('u-data', { location: '/dev/sdz' })] })?.disk.id, 'sda');
});

test('an entry of a table that is not GPT is refused before anything is wiped', (t) => {
  const mbr = inventory([disk('sda')], [whole('sda', { name: 'dos' }), partition('sda', 1)]);
  const order = { devices: ['sda1'], dropPartition: true };
  t.throws(() => chooseTargets(order, { inventory: mbr, statuses: [] }), { code: 'ERR_WIPE_REQUEST' });
});

test('before the volumes of the configuration are known nothing is wiped', async (t) => {
  const volumes = { statuses: none, seekersOf: none, checkWipe: () => {}, wipe: async () => {} };
  const wipes = new Wipes({ inventory: { value: ground.inventory }, volumes, isConfigured: () => false });
  const order = { devices: ['sda'], method: 'fast', dropPartition: false, dryRun: true } as const;
  const events = wipes.request(order, new AbortController().signal);
  await t.throwsAsync(events.next(), { code: 'ERR_WIPE_BUSY' });
});

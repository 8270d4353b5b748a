import type { Disk } from '@nodecore/block';
import type { VolumeStatus } from '@nodecore/volumes';
import test from 'ava';

import { planReset, type ResetNames } from '../src/resets/plan.ts';
import type { StorageFacts } from '../src/volumes/storage-facts.ts';
import { decodeReset, encodeReset } from '../src/persistence/reset-record.ts';
import { disk, inventory, partition } from './inventory.ts';

const gibibyte = 1n << 30n;

function status(id: string, more: Partial<VolumeStatus> = {}): VolumeStatus {
  const common = {
    type: 'partition',
    phase: 'ready',
    configuredEncryptionKeys: [],
    encryptionFailedSyncs: [],
  } as const;
  return { id, ...common, ...more };
}

function labelled(index: number, label: string, name: string): ReturnType<typeof partition> {
  return partition('vda', index, {
    partitionLabel: label,
    partitionUuid: `guid-${label}`,
    name,
    size: gibibyte,
  });
}

const meta = partition('vda', 1, { partitionLabel: 'META', size: 1n << 20n });
const whole = { ...partition('', 0), type: 'disk' as const, parent: '' };
const sdb = { ...whole, id: 'sdb', devPath: '/dev/sdb', name: 'gpt', size: 4n * gibibyte };

/** A node with STATE and EPHEMERAL on its system disk, and a user volume on another. */
function node(more: { readonly disk?: Partial<Disk> } = {}): StorageFacts {
  return {
    inventory: inventory(
      [disk('vda'), disk('sdb', more.disk)],
      [meta, labelled(2, 'STATE', 'luks'), labelled(3, 'EPHEMERAL', 'xfs'), sdb],
    ),
    statuses: [
      status('STATE', { location: '/dev/vda2', parentLocation: '/dev/vda' }),
      status('EPHEMERAL', { location: '/dev/vda3', parentLocation: '/dev/vda' }),
      status('u-data', { location: '/dev/sdb1', parentLocation: '/dev/sdb' }),
      status('ETCD', { type: 'directory' }),
    ],
  };
}

const names = (more: Partial<ResetNames> = {}): ResetNames => ({
  mode: 'all',
  labels: [],
  userDisks: [],
  ...more,
});

test('exactly what is named is wiped, and what goes with it is forgotten', (t) => {
  const plan = planReset(names({ labels: ['EPHEMERAL'] }), node());
  t.deepEqual(
    plan.targets.map(({ name, devPath, content, sizeBytes }) => [name, devPath, content, sizeBytes]),
    [['EPHEMERAL', '/dev/vda3', 'xfs', gibibyte]],
  );
  t.like(plan.record, { stage: 'wipe', disks: [], forget: ['EPHEMERAL'], wipesMeta: false });
  t.deepEqual(
    plan.record.partitions.map(({ label, partitionGuid, disk: { serial } }) => [
      label,
      partitionGuid,
      serial,
    ]),
    [['EPHEMERAL', 'guid-EPHEMERAL', 'serial-vda']],
  );
  t.deepEqual(decodeReset(encodeReset(plan.record)), plan.record);
});

test('a disk of a user goes as a whole, with the volumes on it', (t) => {
  const plan = planReset(names({ mode: 'user-disks', userDisks: ['/dev/sdb'] }), node());
  t.deepEqual(
    plan.targets.map(({ name, devPath, content }) => [name, devPath, content]),
    [['sdb', '/dev/sdb', 'gpt']],
  );
  t.deepEqual(plan.record.forget, ['u-data']);
  t.deepEqual(plan.record.partitions, []);
});

test('without labels everything of the system goes, META with it; nothing remembers anything then', (t) => {
  const { targets, record } = planReset(names(), node());
  t.deepEqual(
    targets.map(({ name }) => name),
    ['STATE', 'EPHEMERAL', 'META'],
  );
  t.deepEqual([record.forget, record.wipesMeta], [[], true]);
});

test('another plan has another digest', (t) => {
  const [one, two] = [['STATE'], ['EPHEMERAL']].map((labels) => planReset(names({ labels }), node()).digest);
  t.is(one, planReset(names({ labels: ['STATE'] }), node()).digest);
  t.not(one, two);
});

test('another disk under the name, and other content, have another digest', (t) => {
  const asked = names({ mode: 'user-disks', userDisks: ['sdb'] });
  const digestOf = (ground: StorageFacts): string => planReset(asked, ground).digest;
  const shown = digestOf(node({ disk: { sequence: 7n } }));
  t.is(shown, digestOf(node({ disk: { sequence: 7n } })));
  t.not(shown, digestOf(node({ disk: { sequence: 8n } })));
  const { inventory: found, ...rest } = node({ disk: { sequence: 7n } });
  const filled = [...found.volumes, partition('sdb', 1, { name: 'ext4', uuid: 'a-new-one' })];
  t.not(shown, digestOf({ ...rest, inventory: { ...found, volumes: filled } }));
});

type Refusal = readonly [
  title: string,
  asked: Partial<ResetNames>,
  ground: StorageFacts,
  code: string,
  message: RegExp,
];

const with_ = (change: (ground: StorageFacts) => Partial<StorageFacts>): StorageFacts => ({
  ...node(),
  ...change(node()),
});
const volumes =
  (...more: StorageFacts['inventory']['volumes']) =>
  (ground: StorageFacts): Partial<StorageFacts> => ({
    inventory: { ...ground.inventory, volumes: [...ground.inventory.volumes, ...more] },
  });

const refusals: readonly Refusal[] = [
  [
    'a label that is none',
    { labels: ['BOOT'] },
    node(),
    'ERR_RESET_REQUEST',
    /BOOT is no label of the system; those are STATE/,
  ],
  ['a label twice', { labels: ['STATE', 'STATE'] }, node(), 'ERR_RESET_REQUEST', /twice/],
  [
    'a label that is not there',
    { labels: ['IMAGECACHE'] },
    node(),
    'ERR_RESET_NOT_FOUND',
    /there is no partition IMAGECACHE/,
  ],
  [
    'a directory',
    { labels: ['ETCD'] },
    node(),
    'ERR_RESET_REFUSED',
    /is a directory of EPHEMERAL: name EPHEMERAL/,
  ],
  ['META alone', { labels: ['META'] }, node(), 'ERR_RESET_REFUSED', /name STATE as well/],
  [
    'two partitions with one label',
    { labels: ['STATE'] },
    with_(volumes(partition('sdb', 1, { partitionLabel: 'STATE' }))),
    'ERR_RESET_REFUSED',
    /STATE is on \/dev\/vda2 and \/dev\/sdb1/,
  ],
  [
    'a label on a disk that is not known to be the node’s',
    { labels: ['LOG'] },
    with_(volumes(partition('sdb', 1, { partitionLabel: 'LOG' }))),
    'ERR_RESET_REFUSED',
    /no volume of the node is known to be there/,
  ],
  [
    'content of somebody else',
    { labels: ['KUBELET'] },
    with_(volumes(labelled(4, 'KUBELET', 'lvm2-pv'))),
    'ERR_RESET_REFUSED',
    /holds lvm2-pv, which the node did not put there/,
  ],
  [
    'content that can not be read',
    { labels: ['KUBELET'] },
    with_(volumes({ ...labelled(4, 'KUBELET', ''), error: 'EIO' })),
    'ERR_RESET_REFUSED',
    /it is not known what is on it/,
  ],
  [
    'the system disk as a disk of a user',
    { userDisks: ['vda'] },
    node(),
    'ERR_RESET_REFUSED',
    /is the system disk/,
  ],
  ['a disk that is not there', { userDisks: ['sdz'] }, node(), 'ERR_RESET_NOT_FOUND', /there is no disk sdz/],
  ['a partition as a disk', { userDisks: ['vda2'] }, node(), 'ERR_RESET_REQUEST', /is a partition/],
  [
    'a read-only disk',
    { userDisks: ['sdb'] },
    node({ disk: { readonly: true } }),
    'ERR_RESET_REFUSED',
    /is read-only/,
  ],
  [
    'a silent disk',
    { userDisks: ['sdb'] },
    node({ disk: { unresponsive: true } }),
    'ERR_RESET_REFUSED',
    /does not answer/,
  ],
  [
    'a mapping, whose number another one has after a restart',
    { userDisks: ['sdb'] },
    node({ disk: { serial: '', busPath: '/virtual' } }),
    'ERR_RESET_REFUSED',
    /has no name that lasts/,
  ],
  [
    'a disk that is part of another',
    { userDisks: ['sdb'] },
    with_(volumes({ ...partition('sdb', 1), holders: ['md0'] })),
    'ERR_RESET_REFUSED',
    /is part of md0/,
  ],
  [
    'labels in mode user-disks',
    { mode: 'user-disks', labels: ['STATE'] },
    node(),
    'ERR_RESET_REQUEST',
    /name no system labels/,
  ],
  [
    'disks in mode system-disk',
    { mode: 'system-disk', userDisks: ['sdb'] },
    node(),
    'ERR_RESET_REQUEST',
    /name none/,
  ],
  ['mode user-disks without disks', { mode: 'user-disks' }, node(), 'ERR_RESET_REQUEST', /needs the names/],
];

for (const [title, asked, ground, code, message] of refusals)
  test(`refused: ${title}`, (t) => {
    t.throws(() => planReset(names(asked), ground), { code, message });
  });

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { type BlockStack, disksOf, eligibility, type LiveMount, readStack } from '../src/index.ts';

const disk = (name: string, discardMaxBytes = 1n << 31n): BlockStack => ({
  name,
  kind: 'disk',
  sizeBytes: 1n << 30n,
  discardMaxBytes,
  below: [],
});
const over = (
  kind: BlockStack['kind'],
  below: readonly BlockStack[],
  discardMaxBytes = 1n << 31n,
): BlockStack => ({
  name: kind === 'partition' ? `${below[0]?.name}p1` : 'dm-0',
  kind,
  sizeBytes: 1n << 30n,
  discardMaxBytes,
  below,
});
const on = (stack: BlockStack | undefined, rest: Partial<LiveMount> = {}): LiveMount => ({
  filesystem: 'xfs',
  readOnly: false,
  stack,
  ...rest,
});
const partition = over('partition', [disk('nvme0n1')]);

const cases: Readonly<Record<string, readonly [LiveMount | undefined, string, RegExp]>> = {
  'what is not mounted': [undefined, 'not-mounted', /not mounted/],
  'a filesystem that takes no trims': [
    on(partition, { filesystem: 'vfat' }),
    'filesystem',
    /vfat is not trimmed/,
  ],
  'what lies on no device': [on(undefined), 'device', /not on a block device/],
  'a read-only mount': [on(partition, { readOnly: true }), 'read-only', /read-only/],
  'a disk without discards': [
    on(over('partition', [disk('sda', 0n)], 0n)),
    'device',
    /^sda takes no discards$/,
  ],
  'a mapping that was opened without allowDiscards': [
    on(over('encryption', [partition], 0n)),
    'encryption',
    /^dm-0 was opened without allowDiscards$/,
  ],
  'a volume on such a mapping': [
    on(over('stacked', [over('encryption', [partition], 0n)], 0n)),
    'encryption',
    /without allowDiscards/,
  ],
  'a mapping with allowDiscards on a disk without discards': [
    on(over('encryption', [over('partition', [disk('sda', 0n)], 0n)], 0n)),
    'device',
    /^sda takes/,
  ],
};

for (const [what, [mount, reason, message]] of Object.entries(cases))
  test(`skipped, with the reason: ${what}`, (t) => {
    const verdict = eligibility(mount);
    t.like(verdict, { eligible: false, reason });
    t.regex(verdict.eligible ? '' : verdict.message, message);
  });

test('what the live mapping takes counts, and every disk below it is named once', (t) => {
  for (const filesystem of ['ext4', 'xfs', 'btrfs'])
    t.deepEqual(eligibility(on(partition, { filesystem })), { eligible: true, disks: ['nvme0n1'] });
  const mirror = over('stacked', [
    over('encryption', [partition]),
    over('partition', [disk('sda')]),
    disk('sda'),
  ]);
  t.deepEqual(eligibility(on(mirror)), { eligible: true, disks: ['nvme0n1', 'sda'] });
  t.deepEqual(disksOf(disk('vda')), ['vda']);
});

/** A directory like /sys with a disk, a partition of it, and an opened LUKS2 mapping on the partition. */
async function sysfs(t: ExecutionContext): Promise<string> {
  const root = await temporaryDirectory(t);
  const files: Readonly<Record<string, string>> = {
    'devices/pci/block/nvme0n1/size': '4194304',
    'devices/pci/block/nvme0n1/queue/discard_max_bytes': '2199023255040',
    'devices/pci/block/nvme0n1/nvme0n1p2/partition': '2',
    'devices/pci/block/nvme0n1/nvme0n1p2/size': '2097152',
    'devices/virtual/block/dm-3/size': '2064384',
    'devices/virtual/block/dm-3/queue/discard_max_bytes': '0',
    'devices/virtual/block/dm-3/dm/uuid': 'CRYPT-LUKS2-0123-luks2-u-data',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `${text}\n`);
  }
  const links = {
    'dev/block/259:2': '../../devices/pci/block/nvme0n1/nvme0n1p2',
    'dev/block/254:3': '../../devices/virtual/block/dm-3',
    'devices/virtual/block/dm-3/slaves/nvme0n1p2': '../../../../pci/block/nvme0n1/nvme0n1p2',
  };
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await symlink(target, join(root, path));
  }
  return root;
}

test('the stack of a mapping is read from sysfs', async (t) => {
  const root = await sysfs(t);
  const nvme: BlockStack = {
    name: 'nvme0n1',
    kind: 'disk',
    sizeBytes: 1n << 31n,
    discardMaxBytes: 2_199_023_255_040n,
    below: [],
  };
  const part: BlockStack = {
    ...nvme,
    name: 'nvme0n1p2',
    kind: 'partition',
    sizeBytes: 1n << 30n,
    below: [nvme],
  };
  t.deepEqual(readStack('259:2', { sysfs: root }), part);
  t.deepEqual(readStack('254:3', { sysfs: root }), {
    name: 'dm-3',
    kind: 'encryption',
    sizeBytes: 2_064_384n * 512n,
    discardMaxBytes: 0n,
    below: [part],
  });
  t.is(readStack('8:99', { sysfs: root }), undefined);
});

import { command, output } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { sfdisk } from '../contents.ts';

/** The disks that a stack is built of. */
export type BareDisks = { readonly one: string; readonly two: string; readonly three: string };

/** LVM without a device manager, and without traces outside the disks. */
const lvmSettings = [
  '--config',
  'devices{use_devicesfile=0}activation{udev_sync=0 udev_rules=0}backup{backup=0 archive=0}',
];
const env = { DM_DISABLE_UDEV: '1' };

export function lvm(verb: string, ...words: readonly string[]): Promise<string> {
  return output(['lvm', verb, '--yes', ...words, ...lvmSettings], { env });
}

/**
 * A volume group on a partition and a disk, with a plain volume, its snapshot, and a mirrored one; an array of two
 * partitions with a filesystem; an unlocked LUKS partition; swap space; a filesystem with an awkward name. All of it is
 * taken down after the test.
 */
export async function stackOfDisks(t: ExecutionContext, { one, two, three }: BareDisks): Promise<void> {
  for (const module of ['raid1', 'dm_snapshot', 'dm_raid']) await output(['modprobe', module]);
  t.teardown(() => blank(one, two, three));
  await sfdisk(
    one,
    'label: gpt\nsize=200M, name="the first"\nsize=100M, name=second\nsize=64M, name=swap\nsize=64M, name=päckchen\n',
  );
  await sfdisk(three, 'label: dos\nsize=100M\nsize=64M\nsize=64M\n');
  for (const disk of [one, three]) await output(['blockdev', '--rereadpt', disk]);
  await lvm('pvcreate', part(one, 1), two);
  await lvm('vgcreate', 'the-group', part(one, 1), two);
  t.teardown(() => lvm('vgremove', '--force', 'the-group'));
  const unwritten = ['-Zn', '-Wn'];
  await lvm('lvcreate', ...unwritten, '-L', '64M', '-n', 'a-volume', 'the-group', part(one, 1));
  await lvm('lvcreate', ...unwritten, '-L', '32M', '--type', 'raid1', '-m1', '-n', 'mirrored', 'the-group');
  await lvm('lvcreate', '-L', '16M', '-s', '-n', 'snap', 'the-group/a-volume');

  const array = ['--run', '--level=1', '--raid-devices=2', '--metadata=1.2'];
  await output(['mdadm', '--create', '/dev/md0', ...array, part(one, 2), part(three, 1)]);
  t.teardown(() => output(['mdadm', '--stop', '/dev/md0']));
  await output(['mkfs.ext4', '-q', '-L', 'on md', '/dev/md0']);
  await output(['mkfs.ext4', '-q', '-L', 'mirrored', '/dev/mapper/the--group-mirrored']);
  await output(['mkswap', '-q', '-L', 'swp', part(one, 3)]);
  await output(['mkfs.ext4', '-q', '-L', 'my label/x', part(one, 4)]);
  await output(['mkfs.vfat', '-n', 'DOSLBL', part(three, 3)]);

  const cost = ['--pbkdf', 'pbkdf2', '--pbkdf-force-iterations', '1000', '--label', 'lukslabel'];
  const key = { input: 'passphrase', env };
  await output(['cryptsetup', 'luksFormat', '-q', ...cost, '--key-file', '-', part(three, 2)], key);
  await output(['cryptsetup', 'open', '--key-file', '-', part(three, 2), 'opened'], key);
  t.teardown(() => output(['cryptsetup', 'close', 'opened'], { env }));
}

function part(disk: string, index: number): string {
  return /\d$/.test(disk) ? `${disk}p${index}` : `${disk}${index}`;
}

/** The disks as they were: no table, no partitions. */
async function blank(...disks: readonly string[]): Promise<void> {
  for (const disk of disks) {
    await output(['wipefs', '--all', '--force', '--quiet', disk]);
    await output(['blkdiscard', '--force', disk]);
    await command(['blockdev', '--rereadpt', disk]);
  }
}

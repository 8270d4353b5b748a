import { program, root, testWith, virtualNode } from '@nodecore/testkit';

import { emptiness } from '../../src/proof/emptiness.ts';
import { type DiscoveredVolume, type Disk, type Inventory, list } from '../../src/index.ts';
import { blkidVerdict, ourVerdict } from './blkid-program.ts';
import { deviceManager, linksByNode, lsblk } from './device-manager.ts';
import { sameColumns } from './lsblk-columns.ts';
import { stackOfDisks } from './stack-of-disks.ts';
import '../patient-proofs.ts';

const programs = ['lvm', 'mdadm', 'cryptsetup', 'udevadm', 'lsblk', 'blkid', 'sfdisk', 'modprobe'];
const inside = testWith(root, virtualNode, ...programs.map(program));

/** An emulated machine on a busy computer takes its time for the first read of all; that is no hanging disk. */
const deadlineMs = 60_000;

const nameOf = (path: string): string => path.slice('/dev/'.length);

function volume({ volumes }: Inventory, id: string): DiscoveredVolume | undefined {
  return volumes.find((one) => one.id === id);
}

function mapped({ disks }: Inventory, name: string): Disk | undefined {
  return disks.find(({ mapping }) => mapping?.name === name);
}

/** Which device stands on which, as in `lsblk`. */
function edgesOf({ volumes }: Inventory): Set<string> {
  return new Set(
    volumes.flatMap(({ id, parent, secondaries, holders }) => [
      ...(parent === '' ? [] : [`${parent} ${id}`]),
      ...secondaries.map((below) => `${below} ${id}`),
      ...holders.map((above) => `${id} ${above}`),
    ]),
  );
}

/** The columns of `lsblk` that we have a word for, in its words. */
function columns(volume: DiscoveredVolume, disk: Disk | undefined): Record<string, unknown> {
  const content = volume.signatures.find(({ usage }) => usage !== 'partition-table');
  return {
    'maj:min': volume.deviceNumber,
    size: Number(volume.size),
    'log-sec': volume.sectorSize,
    uuid: content?.uuid ?? '',
    label: content?.label ?? '',
    partuuid: volume.partitionUuid,
    parttype: volume.partitionType,
    partlabel: volume.partitionLabel,
    ...(disk !== undefined && {
      ro: disk.readonly,
      rota: disk.rotational,
      model: disk.model,
      serial: disk.serial,
    }),
  };
}

/** Arrays have names that only mdadm tells, and mappings that were made without udev are not announced to it. */
function knownLinks({ volumes }: Inventory): Record<string, readonly string[]> {
  const known = volumes.filter(({ id }) => !id.startsWith('dm-'));
  return Object.fromEntries(
    known.map(({ id, symlinks }) => [id, symlinks.filter((path) => !path.includes('/md-'))]),
  );
}

inside(
  'stacks have parents, children and ids, nothing in them may be formatted, and all is what blkid, lsblk and udev say',
  async (t) => {
    t.timeout(300_000);
    const disks = JSON.parse(process.env['NODECORE_VM_DISKS'] ?? '{}') as Record<string, string>;
    const { nvme: one = '', nvme2: two = '', virtio: three = '' } = disks;
    await stackOfDisks(t, { one, two, three });
    const inventory = await list({ deadlineMs });
    t.deepEqual(
      inventory.volumes.filter(({ error }) => error !== undefined),
      [],
    );

    const plain = mapped(inventory, 'the--group-a--volume');
    const mirrored = mapped(inventory, 'the--group-mirrored');
    t.like(plain?.mapping, { maker: 'LVM', lvm: { volumeGroup: 'the-group', logicalVolume: 'a-volume' } });
    t.deepEqual(plain?.secondaryDisks, [nameOf(one)]);
    t.deepEqual(mirrored?.secondaryDisks, [nameOf(one), nameOf(two)].sort());
    t.is(volume(inventory, mirrored?.id ?? '')?.name, 'ext4');
    t.is(mapped(inventory, 'the--group-mirrored_rimage_0'), undefined, 'a copy is no disk');
    t.is(mapped(inventory, 'the--group-a--volume-real'), undefined, 'an origin is no disk');
    t.like(mapped(inventory, 'opened')?.mapping, { maker: 'CRYPT' });

    const array = inventory.disks.find(({ id }) => id === 'md0');
    const member = volume(inventory, `${nameOf(one)}p2`);
    t.like(array?.array, { level: 'raid1', metadata: '1.2', members: 2, missing: 0, uuid: member?.uuid });
    t.deepEqual(array?.secondaryDisks, [nameOf(one), nameOf(three)].sort());
    t.deepEqual(volume(inventory, 'md0')?.secondaries, [`${nameOf(one)}p2`, `${nameOf(three)}1`].sort());
    t.deepEqual(member?.holders, ['md0']);

    for (const path of [one, two, three, `${one}p1`, `${one}p2`, `${three}1`, `${three}2`, '/dev/md0']) {
      const { empty } = await emptiness(path);
      t.false(empty, path);
    }
    for (const id of [`${nameOf(one)}p1`, nameOf(two), `${nameOf(three)}2`]) {
      const found = await emptiness(`/dev/${id}`);
      const reasons = found.empty ? '' : found.reasons.join();
      for (const holder of volume(inventory, id)?.holders ?? ['nobody'])
        t.true(reasons.includes(`${holder} is stacked on it`), `${id}: ${reasons}`);
    }
    for (const found of inventory.volumes) {
      t.deepEqual(ourVerdict(found), await blkidVerdict(found.devPath), found.devPath);
    }

    await deviceManager(t);
    const managed = await list({ deadlineMs });
    const { devices, edges } = await lsblk();
    t.deepEqual([...edgesOf(managed)].sort(), [...edges].sort());
    const links = await linksByNode();
    for (const found of managed.volumes) {
      const device = devices.get(found.id);
      t.not(device, undefined, found.id);
      if (device === undefined) continue;
      const disk = managed.disks.find(({ id }) => id === found.id);
      sameColumns(t, device, columns(found, disk));
      t.deepEqual(found.symlinks, links.get(found.id) ?? [], found.id);
    }
    // Before there was a device manager the links were derived.
    t.deepEqual(knownLinks(inventory), knownLinks(managed));
    t.true(links.size > 5);
    t.true(plain?.symlinks.includes('/dev/disk/by-id/dm-name-the--group-a--volume'));
    const all = managed.volumes.flatMap(({ symlinks }) => symlinks);
    for (const kind of ['virtio', 'nvme', 'scsi', 'ata', 'usb', 'mmc', 'lvm-pv-uuid'])
      t.true(
        all.some((path) => path.startsWith(`/dev/disk/by-id/${kind}-`)),
        kind,
      );
  },
);

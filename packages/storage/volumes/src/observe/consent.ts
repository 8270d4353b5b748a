import type { Disk, PartitionTable } from '@nodecore/block';

import type { VolumeSpec } from '../spec.ts';

/** Whether what is on a disk may be erased for a volume; a text says why it may not, although its document wishes so. */
export type Consent = 'none' | 'given' | { readonly refused: string };

type Disks = { readonly disks: readonly Disk[]; readonly systemDisk: string | undefined };

/** What a document says of a disk: by its exact WWN or serial number, which no other disk here has. */
export function consentOf({ erase = [] }: VolumeSpec, disk: Disk, { disks, systemDisk }: Disks): Consent {
  const name = erase.find((one) => isNamed(disk, one));
  if (name === undefined) return 'none';
  if (disk.id === systemDisk) return { refused: 'the system disk is never erased' };
  // The paths of a multipath device have its name.
  const others = disks.filter(({ id }) => !disk.secondaryDisks.includes(id));
  const named = others.filter((one) => isNamed(one, name)).map(({ id }) => id);
  if (named.length > 1)
    return { refused: `nothing is erased, because ${name} names ${named.toSorted().join(' and ')}` };
  return 'given';
}

/** Labels of volumes as this system makes them, of this configuration and of any other. */
const ours = /^(?:[urs]-.+|STATE|EPHEMERAL|META|ETCD|CRI|KUBELET|LOG|IMAGECACHE)$/;

/** Why a table keeps its disk from being erased: data of a volume is taken by a wipe of the volume only. */
export function keptBy(table: PartitionTable): string | undefined {
  const kept = table.partitions.find(({ label }) => ours.test(label));
  return kept === undefined ? undefined : `nothing is erased, because it has partition ${kept.label}`;
}

function isNamed({ wwid, serial }: Disk, name: string): boolean {
  return name !== '' && (wwid === name || serial === name);
}

import { metaTag } from '@nodecore/meta';
import { View } from '@nodecore/view';

import { type DiskImageOptions, partitionType } from '../src/index.ts';
import { judge } from './tools.ts';

export const mib: number = 1 << 20;
export const systemdBoot: View = View.of(Buffer.alloc(100_001, 'boot loader'));
export const uki: View = View.of(Buffer.alloc(3_000_001, 'kernel'));

/** A disk with one entry and one value in META. */
export const options: DiskImageOptions = {
  recipe: 'a test',
  esp: { systemdBoot, entries: [{ imageVersion: '1.14.0~alpha.0', sequence: 1, uki }] },
  meta: new Map([[metaTag.network, Buffer.from('kind: DHCP')]]),
};

type Row = readonly [label: string, startMiB: number, sizeMiB: number, type: string];

export const expectedPartitions: readonly Row[] = [
  ['EFI', 1, 512, partitionType.efi],
  ['META', 513, 1, partitionType.linux],
];

/** What sfdisk reads from a disk or from an image. */
export function partitionsOf(path: string, sectorSize: number): readonly Row[] {
  const { partitiontable } = JSON.parse(judge('sfdisk', '-J', path)) as {
    partitiontable: { partitions: readonly { name: string; start: number; size: number; type: string }[] };
  };
  return partitiontable.partitions.map(({ name, start, size, type }) => [
    name,
    (start * sectorSize) / mib,
    (size * sectorSize) / mib,
    type.toLowerCase(),
  ]);
}

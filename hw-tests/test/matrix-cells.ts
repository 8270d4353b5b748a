import type { DiskDriver, DiskSpec } from '../src/index.ts';

const mib = 1024 ** 2;

/** What the table below is the product of. */
export const drivers = ['virtio', 'nvme', 'scsi', 'ahci', 'ide', 'usb', 'megaraid', 'mmc'] as const;
export const contents = ['xfs', 'ext4', 'btrfs', 'swap', 'raw'] as const;

/** One volume of the matrix: on a disk of that driver, with that content, behind that key or in clear. */
export type Cell = {
  readonly driver: DiskDriver;
  readonly content: (typeof contents)[number];
  readonly key: 'static' | 'nodeID' | 'none';
};

export const passphrase = 'a passphrase of the matrix';

/** In how many parts the matrix is run: each is one machine, with one volume on each driver. */
export const parts = 2 * contents.length;

/**
 * One part of the matrix: one volume on each driver, of every content at least one, every other one encrypted, with either key in
 * turn. In all parts together every driver has every content once in clear and once encrypted.
 *
 * @param part from 0
 */
export function partOfMatrix(part: number): readonly Cell[] {
  if (!(Number.isInteger(part) && part >= 0 && part < parts))
    throw new RangeError(`the matrix has parts 0 to ${parts - 1}`);
  const half = Math.floor(part / contents.length);
  return drivers.map((driver, place) => {
    const content = contents[(place + part) % contents.length] ?? 'xfs';
    const key = place % 4 < 2 ? 'nodeID' : 'static';
    return { driver, content, key: (place + half) % 2 === 0 ? key : 'none' };
  });
}

/** What another kernel has to show: every filesystem, in clear and encrypted, on the disks of servers. */
export const kernelCells: readonly Cell[] = [
  { driver: 'virtio', content: 'xfs', key: 'nodeID' },
  { driver: 'nvme', content: 'ext4', key: 'static' },
  { driver: 'scsi', content: 'btrfs', key: 'none' },
];

/** Guests that hear of a new size while they run, some when they are asked to look. The others see it when they boot. */
export const growsLive: ReadonlySet<DiskDriver> = new Set(['virtio', 'scsi', 'usb', 'megaraid']);

/** Of those, the ones that don't hear of it by themselves. */
export const looksWhenAsked: ReadonlySet<DiskDriver> = new Set(['usb', 'megaraid']);

export function nameOf({ driver, content, key }: Cell): string {
  return `${driver}-${content}-${key.toLowerCase()}`;
}

export function idOf(cell: Cell): string {
  return `${cell.content === 'swap' ? 's' : cell.content === 'raw' ? 'r' : 'u'}-${nameOf(cell)}`;
}

export function isFilesystem({ content }: Cell): boolean {
  return content !== 'swap' && content !== 'raw';
}

/** It takes what its disk has, now and when that grows; swap space never does. */
export function grows({ content }: Cell): boolean {
  return content !== 'swap';
}

export function serialOf(driver: DiskDriver): string {
  return `MATRIX-${driver.toUpperCase()}`;
}

export const diskBytes: number = 1024 * mib;

export function disksOf(cells: readonly Cell[]): readonly DiskSpec[] {
  return cells.map(({ driver }) => ({ driver, sizeBytes: diskBytes, serial: serialOf(driver) }));
}

const minSizes = { xfs: '320MiB', ext4: '100MiB', btrfs: '140MiB', swap: '64MiB', raw: '64MiB' } as const;
const keyFields = {
  static: `static: {passphrase: ${passphrase}}`,
  nodeID: 'nodeID: {}',
} as const;

/** The document of a cell. An SD card has no serial that the rig could give it. */
export function documentOf(cell: Cell): string {
  const { driver, content, key } = cell;
  const kind = content === 'swap' ? 'Swap' : content === 'raw' ? 'Raw' : 'User';
  const match = driver === 'mmc' ? 'disk.transport == "mmc"' : `disk.serial == "${serialOf(driver)}"`;
  const minSize = minSizes[content];
  return `apiVersion: v1alpha1
kind: ${kind}VolumeConfig
name: ${nameOf(cell)}
provisioning:
  diskSelector: {match: '${match}'}
  minSize: ${minSize}
  ${grows(cell) ? 'grow: true' : `maxSize: ${minSize}`}
${isFilesystem(cell) ? `filesystem: {type: ${content}}\n` : ''}${
    key === 'none' ? '' : `encryption: {provider: luks2, keys: [{slot: 0, ${keyFields[key]}}]}\n`
  }`;
}

/** The host's directory that every machine of the matrix has. */
export const share = { id: 'x-share', tag: 'matrix' } as const;
export const shareDocument: string = `apiVersion: v1alpha1
kind: ExternalVolumeConfig
name: share
filesystemType: virtiofs
mount: {virtiofs: {tag: ${share.tag}}}
`;

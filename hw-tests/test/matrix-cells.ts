import type { DiskDriver, DiskSpec } from '../src/index.ts';

const mib = 1024 ** 2;

type Content = 'xfs' | 'ext4' | 'btrfs';
type Key = 'static' | 'nodeID';

/** One volume of the matrix: on a disk of that driver, with that content, behind that key or in clear. */
export type Cell = {
  readonly driver: DiskDriver;
  readonly content: Content;
  readonly key: Key | 'none';
  /** It is the last on its disk and takes what is left, now and when the disk grows. */
  readonly grows: boolean;
};

export const passphrase = 'a passphrase of the matrix';

/** Guests that hear of a new size while they run. The others see it when they boot. */
export const growsLive: ReadonlySet<DiskDriver> = new Set(['virtio', 'scsi']);

const cell = (driver: DiskDriver, content: Cell['content'], key: Cell['key'], grows = false): Cell => ({
  driver,
  content,
  key,
  grows,
});

/** Every filesystem, in clear and encrypted, on the disks of servers. */
export const matrixCells: readonly Cell[] = [
  cell('virtio', 'xfs', 'nodeID', true),
  cell('nvme', 'ext4', 'static', true),
  cell('scsi', 'btrfs', 'none', true),
];

export function nameOf({ driver, content, key }: Cell): string {
  return `${driver}-${content}-${key.toLowerCase()}`;
}

export function idOf(of: Cell): string {
  return `u-${nameOf(of)}`;
}

export function serialOf(driver: DiskDriver): string {
  return `MATRIX-${driver.toUpperCase()}`;
}

/** A volume of each content in the smallest size that it takes, and room for the one that grows. */
export const diskBytes: number = 1024 * mib;

export function disksOf(matrix: readonly Cell[]): readonly DiskSpec[] {
  return [...new Set(matrix.map(({ driver }) => driver))].map((driver) => ({
    driver,
    sizeBytes: diskBytes,
    serial: serialOf(driver),
  }));
}

const minSizes = { xfs: '320MiB', ext4: '100MiB', btrfs: '140MiB' } as const;
const keyFields = {
  static: `static: {passphrase: ${passphrase}}`,
  nodeID: 'nodeID: {}',
} as const;

/** The document of a cell. */
export function documentOf(of: Cell): string {
  const { driver, content, key, grows } = of;
  const minSize = minSizes[content];
  return `apiVersion: v1alpha1
kind: UserVolumeConfig
name: ${nameOf(of)}
provisioning:
  diskSelector: {match: 'disk.serial == "${serialOf(driver)}"'}
  minSize: ${minSize}
  ${grows ? 'grow: true' : `maxSize: ${minSize}`}
filesystem: {type: ${content}}
${key === 'none' ? '' : `encryption: {provider: luks2, keys: [{slot: 0, ${keyFields[key]}}]}\n`}`;
}

/** The host's directory that every machine of the matrix has. */
export const share = { id: 'x-share', tag: 'matrix' } as const;
export const shareDocument: string = `apiVersion: v1alpha1
kind: ExternalVolumeConfig
name: share
filesystemType: virtiofs
mount: {virtiofs: {tag: ${share.tag}}}
`;

import type { DiskEnvironment, Selector } from '@nodecore/block';
import type { Encryption, KeyEntry, Size } from '@nodecore/config';

/** What one volume shall become. Derived from configuration by `fromConfiguration`; never changed in place. */
export type VolumeSpec = {
  /** Also the partition label and the LUKS2 label: `STATE`, `EPHEMERAL`, `u-data`. */
  readonly id: string;
  readonly kind: 'system' | 'user';
  readonly type: 'partition' | 'disk';
  /** False: found or waited for, but never made. */
  readonly provision: boolean;
  /** Where it may live. Undefined for a document without a selector: nowhere. */
  readonly disks: 'system-disk' | Selector<DiskEnvironment> | undefined;
  /** Of a partition volume only; a disk volume takes the whole disk. */
  readonly partition?: PartitionSpec;
  readonly filesystem: FilesystemSpec;
  readonly encryption?: Encryption;
  /** Keys that it had in configurations before, which may still be the only ones that open it. */
  readonly previousKeys?: readonly KeyEntry[];
  /** Whoever wrote the keys has not proven that the volume is his: what is found is opened, and its keyslots stay. */
  readonly keepKeyslots?: boolean;
  readonly mount: MountSpec;
  /** Volumes that take their space first, because this one takes all that is left. */
  readonly after: readonly string[];
  /** Whether the choice of a disk is written to the intent store. STATE can't: the store lives on it. */
  readonly recorded: boolean;
};

export type PartitionSpec = {
  readonly typeGuid: string;
  readonly minSize: bigint;
  /** Undefined: all the space there is. */
  readonly maxSize?: Size;
  readonly grow: boolean;
};

export type FilesystemType = 'xfs' | 'ext4';

export type FilesystemSpec = {
  readonly type: FilesystemType;
  readonly label: string;
  readonly projectQuotaSupport: boolean;
  readonly xfsMinAllocationGroupSize?: bigint;
};

export type MountSpec = {
  /** Absolute path, `mountRoot` included. */
  readonly target: string;
  /** The volume whose mount must be there first, because the target lies on it. */
  readonly parent?: string;
  readonly mode: number;
  readonly flags: MountFlags;
};

export type MountFlags = {
  readonly readOnly: boolean;
  readonly nosuid: boolean;
  readonly nodev: boolean;
  readonly noexec: boolean;
  readonly noatime: boolean;
};

/** The device-mapper name of a volume's opened encryption. */
export function mappingName(volumeId: string): string {
  return `luks2-${volumeId}`;
}

import type { DiskEnvironment, Selector, VolumeEnvironment } from '@nodecore/selector';
import type { Blanking, Encryption, KeyEntry, Size } from '@nodecore/config';

/** What one volume shall become. Derived from configuration by `fromConfiguration`; never changed in place. */
export type VolumeSpec = {
  /** Also the partition label and the LUKS2 label: `STATE`, `EPHEMERAL`, `u-data`. */
  readonly id: string;
  readonly kind: VolumeKind;
  readonly type: VolumeType;
  /** False: found or waited for, but never made. */
  readonly provision: boolean;
  /** Where it may live. Undefined for a document without a selector: nowhere. */
  readonly disks: 'system-disk' | Selector<DiskEnvironment> | undefined;
  /** WWNs and serial numbers of disks whose content may be erased for it. */
  readonly erase?: readonly string[];
  /** In place of `disks`: finds a disk or partition that another system has made. */
  readonly volumes?: Selector<VolumeEnvironment>;
  /** Under which name the host shares an external volume. */
  readonly tag?: string;
  /** Of a partition volume only; a disk volume takes the whole disk. */
  readonly partition?: PartitionSpec;
  /** What is made on the device. Absent: nothing is, its content belongs to another system. */
  readonly filesystem?: FilesystemSpec;
  /** Of a raw volume: what is done to it before it is handed over. Absent: nothing. */
  readonly blank?: Blanking;
  readonly encryption?: Encryption;
  /** Keys that it had in configurations before, which may still be the only ones that open it. */
  readonly previousKeys?: readonly KeyEntry[];
  /** The configuration with these keys is not proven to own the volume: what is found is opened, and its keyslots stay. */
  readonly keepKeyslots?: boolean;
  /** Absent: a raw volume, which is only opened, or swap space. */
  readonly mount?: MountSpec;
  /** Volumes that take their space first, because this one takes all that is left. */
  readonly after: readonly string[];
  /** Whether the choice of a disk is written to the intent store. STATE can't: the store lives on it. */
  readonly recorded: boolean;
};

export type VolumeKind = 'system' | 'user' | 'raw' | 'swap' | 'existing' | 'external';

/** What a volume is made of. A directory and an external volume have no device. */
export type VolumeType = 'partition' | 'disk' | 'directory' | 'external';

export type PartitionSpec = {
  readonly typeGuid: string;
  readonly minSize: bigint;
  /** Undefined: all the space there is. */
  readonly maxSize?: Size;
  readonly grow: boolean;
};

export type FilesystemType = 'xfs' | 'ext4' | 'btrfs' | 'swap';

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
  /** Permission bits of the root; absent: they stay as they are. */
  readonly mode?: number;
  readonly flags: MountFlags;
};

export type MountFlags = {
  readonly readOnly: boolean;
  readonly nosuid: boolean;
  readonly nodev: boolean;
  readonly noexec: boolean;
  readonly noatime: boolean;
};

/** Whether a volume is mounted on a directory of the system's own image: STATE, EPHEMERAL and IMAGECACHE are. */
export function isOnImage({ kind, mount }: Pick<VolumeSpec, 'kind' | 'mount'>): boolean {
  return kind === 'system' && mount !== undefined && mount.parent === undefined;
}

/** Whether a volume lies on a disk or partition of this machine. */
export function hasDevice({ type }: Pick<VolumeSpec, 'type'>): boolean {
  return type === 'partition' || type === 'disk';
}

/** What a prepared volume is put to. */
export function useOf({ mount, filesystem }: VolumeSpec): 'mount' | 'swap' | 'none' {
  if (mount !== undefined) return 'mount';
  return filesystem?.type === 'swap' ? 'swap' : 'none';
}

/** Where a volume is used, for messages. */
export function placeOf(spec: VolumeSpec): string {
  return spec.mount?.target ?? spec.id;
}

/** Whether the volume takes room that comes up later. A whole disk always does; what others have made never does. */
export function grows({ type, partition, volumes, filesystem }: VolumeSpec): boolean {
  if (volumes !== undefined || filesystem?.type === 'swap') return false;
  return type === 'disk' || partition?.grow === true;
}

/** The filesystems of ours that can be checked. The mount of btrfs puts right by itself what can be. */
export function checkable({ filesystem }: VolumeSpec): 'xfs' | 'ext4' | undefined {
  const type = filesystem?.type;
  return type === 'xfs' || type === 'ext4' ? type : undefined;
}

/** The device-mapper name of a volume's opened encryption. */
export function mappingName(volumeId: string): string {
  return `luks2-${volumeId}`;
}

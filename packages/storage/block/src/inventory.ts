/** A disk: what a block device below `/sys/block` is, whatever is on it. */
export type Disk = {
  /** Kernel name: `nvme0n1`. */
  readonly id: string;
  /** The kernel's number of this appearance of the disk, from Linux 5.15 on: names come again, it does not. */
  readonly sequence?: bigint;
  readonly devPath: string;
  readonly size: bigint;
  /** Optimal I/O size, in bytes. */
  readonly ioSize: number;
  /** Logical sector size, in bytes. */
  readonly sectorSize: number;
  readonly readonly: boolean;
  readonly cdrom: boolean;
  readonly rotational: boolean;
  /** `''` here and below: the device does not say. */
  readonly model: string;
  readonly serial: string;
  readonly modalias: string;
  readonly wwid: string;
  readonly uuid: string;
  /** NVMe only. */
  readonly firmwareVersion: string;
  /** The bus the disk sits on, as a path below `/sys/devices`. */
  readonly busPath: string;
  readonly subSystem: string;
  readonly transport: string;
  /** The ids of the disks below a stacked device. */
  readonly secondaryDisks: readonly string[];
  /** Only devices of device-mapper have one. */
  readonly mapping?: Mapping;
  /** Only arrays of md have one. */
  readonly array?: RaidArray;
  /** Every `/dev/disk/by-…` path that points to the disk, sorted; where nobody makes links, those that udev would make. */
  readonly symlinks: readonly string[];
  /** Why the disk can't be opened or read. It is published nevertheless: a hidden disk helps nobody. */
  readonly error?: string;
  /** A call on the disk did not return before its deadline; it is left alone until that call returns. */
  readonly unresponsive?: boolean;
};

/** A device of device-mapper, by the name and UUID of its maker. */
export type Mapping = {
  /** Its node is `/dev/mapper/NAME`. */
  readonly name: string;
  /** `''` when its maker gave it none. */
  readonly uuid: string;
  /** Which program made it, as the UUID begins: `LVM`, `CRYPT`, `mpath`, …; `''` when it has no UUID. */
  readonly maker: string;
  /** Only logical volumes have one. The UUIDs are written as LVM does. */
  readonly lvm?: {
    readonly volumeGroup: string;
    readonly volumeGroupUuid: string;
    readonly logicalVolume: string;
    readonly logicalVolumeUuid: string;
  };
};

/** An array of md(4). */
export type RaidArray = {
  /** `raid1`, `raid5`, `linear`, `container`, … */
  readonly level: string;
  /** The version of its superblocks: `1.2`; `none`, or `external:` and more. */
  readonly metadata: string;
  /** `clean`, `active`, `readonly`, `inactive`, … (md(4), `array_state`). */
  readonly state: string;
  /** How many devices it has when it is whole, and how many of them are missing. */
  readonly members: number;
  readonly missing: number;
  /** What its members' `uuid` is; `''` when they don't say, or not the same. */
  readonly uuid: string;
};

/** A whole disk or a partition, and what libblkid says is on it. */
export type DiscoveredVolume = {
  readonly id: string;
  readonly type: 'disk' | 'partition';
  readonly devPath: string;
  /** The device's directory in sysfs. */
  readonly devicePath: string;
  /** `major:minor`. */
  readonly deviceNumber: string;
  /** The id of the disk that a partition belongs to; `''` for a disk. */
  readonly parent: string;
  readonly parentDevPath: string;
  /** Bytes from the start of the parent. */
  readonly offset: bigint;
  readonly size: bigint;
  readonly sectorSize: number;
  readonly ioSize: number;
  /**
   * What is on it: `xfs`, `ext4`, `vfat`, `luks` (version 2), `luks1`, `gpt`, `dos`, `swap`, `lvm2-pv`,
   * `linux_raid_member`, …; `''` when libblkid recognises nothing, `ambiguous` when several signatures contradict each
   * other. `''` alone is no proof that a device is blank.
   */
  readonly name: string;
  readonly uuid: string;
  readonly label: string;
  /** In bytes; 0 here and in the next two when libblkid does not say, which before 2.39 it never does for those two. */
  readonly blockSize: number;
  readonly filesystemBlockSize: number;
  /** The size that the content claims, in bytes. */
  readonly probedSize: bigint;
  readonly partitionUuid: string;
  readonly partitionType: string;
  readonly partitionLabel: string;
  /** From 1; 0 for a disk. */
  readonly partitionIndex: number;
  /** Every signature found, also those that libblkid's verdict rests not on. */
  readonly signatures: readonly Signature[];
  /** Ids of the devices stacked on this one. */
  readonly holders: readonly string[];
  /** Ids of the devices that this one is stacked on; partitions have none. Devices that LVM keeps for itself are here. */
  readonly secondaries: readonly string[];
  /** As of a disk. */
  readonly symlinks: readonly string[];
  /** Why the content is unknown. */
  readonly error?: string;
};

export type SignatureUsage = 'filesystem' | 'raid' | 'crypto' | 'other' | 'partition-table';

export type Signature = {
  readonly type: string;
  readonly usage: SignatureUsage;
  /** Bytes from the start of the device. */
  readonly offset: bigint;
  readonly uuid: string;
  readonly label: string;
};

/** Everything that block discovery knows at one moment; disks and volumes are sorted by id. */
export type Inventory = {
  readonly disks: readonly Disk[];
  readonly volumes: readonly DiscoveredVolume[];
};

export type { ByteRange } from './byte-range.ts';
export * as construction from './wipe/construction.ts';
export type { ConstructionMark, ConstructionOptions } from './wipe/construction.ts';
export type { MeantDisk } from './devices/disk-sequence.ts';
export { emptiness, type Emptiness, type EmptinessOptions } from './proof/emptiness.ts';
export type { EmptinessReceipt, ReadPurpose, ReadRanges } from './proof/receipt.ts';
export { allowSlowProofs } from './proof/time.ts';
export { BlockError, type BlockErrorCode, type BlockErrorOptions } from './errors.ts';
export type { CheckOptions, FilesystemCheck } from './filesystems/check.ts';
export type { FilesystemType, FormatOptions, GrowFilesystemOptions } from './filesystems/filesystems.ts';
export * as filesystems from './filesystems/filesystems.ts';
export type { BlankMethod, BlankOptions } from './wipe/blank.ts';
export type { WipeOptions } from './wipe/wipe.ts';
export type { WipeContentOptions, WipeMethod } from './wipe/wipe-content.ts';
export * as wipe from './wipe/wipes.ts';
export {
  type DiscoveredVolume,
  type Disk,
  type Inventory,
  type Mapping,
  type RaidArray,
  type Signature,
  type SignatureUsage,
} from './inventory.ts';
export type { Partition, PartitionTable } from './partitions/partition-table.ts';
export type { AddPartitionOptions, CreateTableOptions, PartitionOptions } from './partitions/partitions.ts';
export * as partitions from './partitions/partitions.ts';
export { probe, type ProbeOptions, type ProbeResult } from './content/probe.ts';
export { list, type ListOptions } from './discovery/list.ts';
export type { NewBind } from './mounts/bind.ts';
export type { NewMount } from './mounts/mount.ts';
export type { MountOptions } from './mounts/options.ts';
export type { Mount } from './mounts/mountinfo.ts';
export { mounts } from './mounts/mounts.ts';
export { swaps } from './mounts/swaps.ts';
export type { UnmountOptions } from './mounts/unmount.ts';
export { openScanner, type Scanner, type ScannerOptions, type ScanOptions } from './discovery/scanner.ts';
export { watch, type InventoryWatch, type WatchOptions } from './discovery/watch.ts';

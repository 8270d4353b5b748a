export type { ByteRange } from './byte-range.ts';
export * as construction from './construction.ts';
export type { ConstructionMark, ConstructionOptions } from './construction.ts';
export type { MeantDisk } from './disk-sequence.ts';
export { emptiness, type Emptiness, type EmptinessOptions } from './emptiness.ts';
export type { EmptinessReceipt, ReadPurpose, ReadRanges } from './emptiness-receipt.ts';
export { allowSlowProofs } from './proof-time.ts';
export { BlockError, type BlockErrorCode, type BlockErrorOptions } from './errors.ts';
export type { CheckOptions, FilesystemCheck } from './filesystem-check.ts';
export type { FilesystemType, FormatOptions, GrowFilesystemOptions } from './filesystems.ts';
export * as filesystems from './filesystems.ts';
export type { BlankMethod, BlankOptions } from './blank.ts';
export type { WipeOptions } from './wipe.ts';
export type { WipeContentOptions, WipeMethod } from './wipe-content.ts';
export * as wipe from './wipes.ts';
export {
  type DiscoveredVolume,
  type Disk,
  type Inventory,
  type Mapping,
  type RaidArray,
  type Signature,
  type SignatureUsage,
} from './inventory.ts';
export type { Partition, PartitionTable } from './partition-table.ts';
export type { AddPartitionOptions, CreateTableOptions, PartitionOptions } from './partitions.ts';
export * as partitions from './partitions.ts';
export { probe, type ProbeOptions, type ProbeResult } from './probe.ts';
export { list, type ListOptions } from './list.ts';
export type { NewBind } from './bind-mount.ts';
export type { NewMount } from './mount.ts';
export type { MountOptions } from './mount-options.ts';
export type { Mount } from './mountinfo.ts';
export { mounts } from './mounts.ts';
export { swaps } from './swaps.ts';
export type { UnmountOptions } from './unmount.ts';
export { openScanner, type Scanner, type ScannerOptions, type ScanOptions } from './scanner.ts';
export { watch, type InventoryWatch, type WatchOptions } from './watch.ts';

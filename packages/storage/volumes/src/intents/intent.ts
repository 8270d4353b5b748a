import type { Disk, Partition } from '@nodecore/block';
import type { Blanking } from '@nodecore/config';

import type { KeptProof } from './proof.ts';
import { stackedName } from './stacked-disk.ts';

/** Names a disk so that it is found again after a reboot, when kernel names have changed places. */
export type DiskIdentity = {
  readonly wwid: string;
  readonly serial: string;
  readonly model: string;
  readonly size: bigint;
  readonly busPath: string;
  readonly devPath: string;
};

/**
 * What a volume was given, written before it is touched.
 *
 * For a whole disk, `phase` plays the part of the under-construction bit of a partition: `constructing` means that
 * whatever carries the nonce holds no data yet.
 */
export type IntentRecord = {
  readonly volumeId: string;
  readonly type: 'partition' | 'disk';
  readonly disk: DiskIdentity;
  /** Of a partition volume. */
  readonly partitionGuid?: string;
  readonly phase: 'constructing' | 'done';
  /** Of the attempt to make a whole disk: what is on it counts as ours only with this. 16 random bytes, in hexadecimal. */
  readonly nonce?: string;
  /** What its disk was proven empty by; absent where it lies in the free space of a table. */
  readonly proof?: KeptProof;
  /** Of the LUKS2 header or filesystem on the device, once `done`. */
  readonly uuid?: string;
  /** Of a raw volume. */
  readonly blank?: BlankRecord;
};

/** How a raw volume was made blank. */
export type BlankRecord = {
  readonly method: Blanking;
  /** Up to this byte, durably. */
  readonly doneBytes: bigint;
  /** What was written went through its encryption, and is noise without it. */
  readonly encrypted: boolean;
};

/**
 * Where intent records are kept, by volume id. When `put` or `remove` resolves, the change must survive a power
 * cut; a torn record must never be returned.
 */
export interface IntentStore {
  get(volumeId: string): Promise<IntentRecord | undefined>;
  put(record: IntentRecord): Promise<void>;
  remove(volumeId: string): Promise<void>;
}

export function identityOf(disk: Disk): DiskIdentity {
  const { serial, model, size, busPath, devPath } = disk;
  return { wwid: wwidOf(disk), serial, model, size, busPath, devPath };
}

function wwidOf(disk: Disk): string {
  return disk.wwid || stackedName(disk);
}

/** Whether a disk is the one that was recorded, by the strongest name that the record has. */
export function isDisk(disk: Disk, identity: DiskIdentity): boolean {
  if (disk.size !== identity.size) return false;
  if (identity.wwid !== '') return wwidOf(disk) === identity.wwid;
  if (identity.serial !== '') return disk.serial === identity.serial && disk.model === identity.model;
  return hasPlace(identity) ? disk.busPath === identity.busPath : disk.devPath === identity.devPath;
}

/** Whether a disk can be told from another one after a restart: names of the kernel such as `dm-3` change hands. */
export function isLasting(identity: DiskIdentity): boolean {
  return identity.wwid !== '' || identity.serial !== '' || hasPlace(identity);
}

/** Devices without hardware, such as loop devices, are all in one place. */
function hasPlace({ busPath }: DiskIdentity): boolean {
  return busPath !== '' && !busPath.startsWith('/virtual');
}

/**
 * Whether a disk is one that this run has seen before, and which may have grown since: by the kernel's number of its
 * appearance, or, where the kernel has none, by a name that its hardware has. A card reader keeps its names when its card
 * is changed for a larger one, which is a new appearance.
 */
export function isStill(disk: Disk, before: Disk): boolean {
  if (disk.sequence !== undefined && disk.sequence === before.sequence) return true;
  const identity = identityOf(before);
  const isNamed = identity.wwid !== '' || identity.serial !== '';
  const hasGrown = isNamed && disk.sequence === undefined && disk.size > before.size;
  return isDisk(disk, hasGrown ? { ...identity, size: disk.size } : identity);
}

/**
 * Whether a whole disk can be the one that a record says we are making. Never a reason to write to it: another disk may have
 * come into its place.
 */
export function isBeingMade(disk: Disk, record: IntentRecord | undefined): boolean {
  return record?.phase === 'constructing' && record.type === 'disk' && isDisk(disk, record.disk);
}

/** Whether a partition is the very one that the finished record names. */
export function isRecorded(partition: Partition | undefined, record: IntentRecord | undefined): boolean {
  return (
    record?.phase === 'done' && partition !== undefined && record.partitionGuid === partition.partitionGuid
  );
}

/** The record of this very place: a volume's may be of another disk, or of another partition that had its name. */
export function recordAt(
  { disk, partition }: { readonly disk: Disk; readonly partition?: Partition },
  record: IntentRecord | undefined,
): IntentRecord | undefined {
  if (record === undefined) return undefined;
  const isHere =
    partition === undefined
      ? record.type === 'disk' && isDisk({ ...disk, size: record.disk.size }, record.disk) // it may have grown
      : record.partitionGuid === partition.partitionGuid;
  return isHere ? record : undefined;
}

/** A name for ordering and for people; stable between boots where the hardware has one. */
export function stableId(disk: Disk): string {
  return wwidOf(disk) || disk.serial || disk.busPath || disk.devPath;
}

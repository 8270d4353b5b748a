import type { Disk, Partition } from '@nodecore/block';

import type { Content } from './content.ts';
import type { IntentRecord } from '../intents/intent.ts';
import type { Provenance } from './provenance.ts';
import type { MountFlags } from '../spec.ts';

/** A partition or whole disk that carries the volume. */
export type Found = {
  readonly disk: Disk;
  readonly devPath: string;
  readonly size: bigint;
  /** Undefined for a whole disk. */
  readonly partition?: Partition;
  /** Of what another system has made, and what tells it apart when kernel names change hands. */
  readonly existing?: { readonly uuid: string; readonly partitionUuid: string };
  /** It is the very one that the finished intent record names. */
  readonly recorded: boolean;
};

/** A disk on which the volume might be made. */
export type Candidate = {
  readonly disk: Disk;
  /** Why it is not one: the selector's answer or a property of the disk. */
  readonly mismatch?: string;
  /** What the selector said of a disk that is none; shown to the author of the selector. */
  readonly noted?: 'selector matches' | 'selector fails';
  /** It matches, and still can't be used. */
  readonly refusal?: string;
  /** It can't be used because it did not answer, which may be over soon. */
  readonly silent?: true;
  /** What is on it, and must be erased for the volume, as its document wishes. */
  readonly erase?: string;
  /** The volume that has the whole disk. */
  readonly owner?: string;
  /** Bytes that a new partition may take at most; the size for a whole disk. */
  readonly free: bigint;
};

/** The encryption mapping that is active under the volume's name. */
export type MappingFacts = {
  /** It lies on our device and has our header's UUID. */
  readonly ours: boolean;
  readonly device: string;
  readonly path: string;
  /** Flags that it has or lacks, against what is configured; set when it was opened by an earlier configuration. */
  readonly difference?: string;
};

/** The located device, read afresh. */
export type DeviceFacts = {
  readonly found: Found;
  /** The partition's bit is set, or the disk's intent record says `constructing`. */
  readonly underConstruction: boolean;
  readonly content: Content;
  /** Of one that is under construction: whose its content is. */
  readonly provenance?: Provenance;
  readonly mapping?: MappingFacts;
  /** Of the active mapping, when it is ours. */
  readonly inner?: Content;
  /** Bytes that the kernel gives it now. */
  readonly size: bigint;
  /** Bytes that the partition may have by now, if that is more than it has and the volume grows. */
  readonly room?: bigint;
  /** Where the device or its mapping is mounted, anywhere. */
  readonly mountedAt: readonly string[];
};

/** What is mounted on the volume's target. */
export type TargetFacts = { readonly source: string; readonly ours: boolean; readonly flags: MountFlags };

/** An earlier volume that still has to take its space, and the disks it may take it from. */
export type Pending = { readonly id: string; readonly disks: readonly string[] };

/** How far this run has come in making the content; after a restart: nothing. */
export type Made = 'nothing' | 'wiped' | 'locked' | 'opened' | 'cleared' | 'blank' | 'filesystem';

/** What this run has done to use all the room; after a restart: nothing. */
export type Growth = {
  /** The size of the device that mapping and filesystem were last fitted to. */
  readonly filled?: bigint;
  /** The size that the partition could not be given. */
  readonly refused?: bigint;
  /** Why it did not grow. */
  readonly reason?: string;
};

/** What this run knows about the soundness of a filesystem of ours; after a restart, and once it is mounted: nothing. */
export type Soundness =
  | 'unknown'
  | 'checked' // its superblock complains of nothing, or not any more
  | 'refused' // the kernel complains, and did not mount it
  | 'proven'; // all of it was looked at after that

/** Everything the plan knows about one volume. Absent parts have not been looked at yet. */
export type Facts = {
  /** The first look at all disks is complete. */
  readonly disksKnown: boolean;
  readonly systemDisk: string | undefined;
  readonly intents:
    | { readonly available: false }
    | { readonly available: true; readonly record?: IntentRecord };
  readonly parentMounted: boolean;
  readonly pending: readonly Pending[];
  readonly made: Made;
  readonly growth: Growth;
  readonly sound: Soundness;
  readonly found?: readonly Found[];
  readonly candidates?: readonly Candidate[];
  readonly device?: DeviceFacts | 'gone';
  readonly target?: TargetFacts | 'free';
};

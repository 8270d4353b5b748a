import type { FilesystemCheck } from '@nodecore/block';
import type { KeyFailure, KeyslotCost } from '@nodecore/keys';

import type { BlankRecord } from './intents/intent.ts';
import type { MountRequest } from './mounts/request.ts';
import type { KeptProof } from './intents/proof.ts';
import type { MountFlags, VolumeType } from './spec.ts';
import type { DiskVerdict } from './facts/verdict.ts';

export type VolumePhase =
  | 'waiting' // nothing found yet; `reason` says for what
  | 'failed' // see errorCode, errorMessage, permanence, failedPhase
  | 'missing' // made before, but its disk is not here
  | 'located' // found; its content is not touched yet
  | 'provisioned' // its partition or disk is there and ours
  | 'prepared' // unlocked, or not encrypted at all
  | 'ready' // mounted
  | 'closed'; // unmounted and locked again

/** What can end an error: time, an operator, or only a new program. */
export type Permanence = 'transient' | 'needs-operator' | 'fatal';

/**
 * What of the configured encryption is not in force in the header, and why: a key; the `options` and `allowDiscards`
 * that the header is to keep; or the removal of what is not configured any more.
 */
export type SyncFailure = Omit<KeyFailure, 'slot' | 'kind'> & {
  /** Of a key. */
  readonly slot?: number;
  readonly kind: KeyFailure['kind'] | 'options' | 'clean-up';
};

/** What is known about one volume. A new object after every step. */
export type VolumeStatus = {
  readonly id: string;
  readonly type: VolumeType;
  readonly phase: VolumePhase;
  /** Where it failed; set only together with phase `failed`. */
  readonly failedPhase?: VolumePhase;
  /** The partition or disk itself: `/dev/nvme0n1p1`. */
  readonly location?: string;
  /** The disk that holds the partition. */
  readonly parentLocation?: string;
  readonly partitionIndex?: number;
  readonly partitionUuid?: string;
  /** Of what is on `location`: the LUKS2 header, or the filesystem of a volume in clear. */
  readonly uuid?: string;
  /** What its disk was proven empty by; absent where it was made in the free space of a table, or found. */
  readonly proof?: KeptProof;
  readonly size?: bigint;
  readonly prettySize?: string;
  /** Of a raw volume that was made here: what was done so that no old data shows in it, and up to which byte. */
  readonly blank?: BlankRecord;
  /** Absent while it is not known, and of a raw volume or a directory, which has none of its own. */
  readonly filesystem?: string;
  /** What is mounted or used: `location`, the opened mapping, a directory, or the tag of an external volume. */
  readonly mountLocation?: string;
  /** The last check of the filesystem that was needed, and what came of it. */
  readonly filesystemCheck?: FilesystemCheck & { readonly finishedAt: number };
  readonly encryptionProvider?: 'luks2';
  /** The slot that opened it; of an adopted mapping, one that does, once a key of it was had. */
  readonly encryptionSlot?: number;
  /** Kinds, sorted. */
  readonly configuredEncryptionKeys: readonly string[];
  /** What could not be stored in the header. The volume works without it, and it is tried again. */
  readonly encryptionFailedSyncs: readonly SyncFailure[];
  /** What a guess at each keyslot costs, once its keys have been looked at. */
  readonly encryptionKeyslots?: readonly KeyslotCost[];
  /** Why each key did not open it; only while none does. */
  readonly encryptionFailedKeys?: readonly KeyFailure[];
  readonly parentId?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly permanence?: Permanence;
  /** Why it is not ready yet, or what needs a reboot. For people. */
  readonly reason?: string;
  /** While a place is looked for: why each disk is not it. Those that match come first, and very many are not all told. */
  readonly candidates?: readonly DiskVerdict[];
  /** What is being done right now: `format xfs`. */
  readonly progress?: string;
  /** Milliseconds since the epoch. */
  readonly nextRetryAt?: number;
};

/** One volume's mount. */
export type MountStatus = {
  readonly volumeId: string;
  readonly source: string;
  readonly target: string;
  readonly filesystem?: string;
  readonly encryptionProvider?: 'luks2';
  readonly flags: MountFlags;
  readonly projectQuotaSupport: boolean;
  readonly phase: 'waiting' | 'mounted' | 'failed';
  /** All requests merged; absent when none is left. */
  readonly request?: MountRequest;
  /** The document is gone: it is unmounted as soon as its last requester has gone. */
  readonly isLeaving: boolean;
  readonly errorCode?: string;
  readonly errorMessage?: string;
};

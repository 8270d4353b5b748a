import type { KeyslotCost } from '@nodecore/keys';
import type { Json } from '@nodecore/state';
import type { SyncFailure, VolumeStatus } from '@nodecore/volumes';

/** A volume's state as the spec of a `VolumeStatuses` resource. What is not known is left out. */
export function volumeStatusSpec(status: VolumeStatus): Json {
  return {
    phase: status.phase,
    failedPhase: status.failedPhase,
    type: status.type,
    parentID: status.parentId,
    location: status.location,
    mountLocation: status.mountLocation,
    partitionIndex: status.partitionIndex,
    parentLocation: status.parentLocation,
    uuid: status.uuid,
    partitionUUID: status.partitionUuid,
    proof: proofSpec(status.proof),
    size: status.size,
    prettySize: status.prettySize,
    blank: blankSpec(status.blank),
    filesystem: status.filesystem,
    filesystemCheck: checkSpec(status.filesystemCheck),
    encryptionProvider: status.encryptionProvider,
    encryptionSlot: status.encryptionSlot,
    configuredEncryptionKeys: status.configuredEncryptionKeys,
    encryptionFailedSyncs: status.encryptionFailedSyncs.map(failureSpec),
    encryptionKeyslots: status.encryptionKeyslots?.map(keyslotSpec),
    encryptionFailedKeys: status.encryptionFailedKeys?.map(failureSpec),
    errorCode: status.errorCode,
    errorMessage: status.errorMessage,
    permanence: status.permanence,
    // What has failed is not ready because of that: the table has one column for both.
    reason: status.reason ?? status.errorMessage,
    candidates: status.candidates?.map(({ disk, matched, reason }) => ({ disk, matched, reason })),
    progress: status.progress,
    nextRetryAt: status.nextRetryAt === undefined ? undefined : new Date(status.nextRetryAt).toISOString(),
  };
}

function blankSpec(blank: VolumeStatus['blank']): Json | undefined {
  if (blank === undefined) return undefined;
  const { method, doneBytes, encrypted } = blank;
  return { method, doneBytes, encrypted };
}

function checkSpec(check: VolumeStatus['filesystemCheck']): Json | undefined {
  if (check === undefined) return undefined;
  const { result, durationMs, finishedAt } = check;
  return { result, durationMs, finishedAt: new Date(finishedAt).toISOString() };
}

function keyslotSpec({ slot, type, iterations, memoryKib, parallel }: KeyslotCost): Json {
  return { slot, type, iterations, memoryKib, parallel };
}

function proofSpec(proof: VolumeStatus['proof']): Json | undefined {
  if (proof === undefined) return undefined;
  const { at, read, ...rest } = proof;
  return { at: new Date(at).toISOString(), ...rest, read: read.map((each) => ({ ...each })) };
}

function failureSpec({ slot, kind, code, message, permanence }: SyncFailure): Json {
  return { slot, kind, code, message, permanence };
}

import type { KeyFailure } from '@nodecore/keys';
import { CodedError, type ErrorKind, type ErrorKinds, codeOf, policyOf } from '@nodecore/sys';

import type { Permanence } from './status.ts';

export type VolumeErrorCode =
  | 'ERR_VOLUME_AMBIGUOUS' // several partitions or disks carry the volume
  | 'ERR_VOLUME_CONTENT' // the device holds something else
  | 'ERR_VOLUME_NOT_EMPTY' // no known content, but not proven empty either
  | 'ERR_VOLUME_ENCRYPTED' // encrypted, and the configuration has no keys
  | 'ERR_VOLUME_NOT_ENCRYPTED' // in clear, and the configuration wants encryption
  | 'ERR_VOLUME_KEYS' // no configured key opens it; see `keyFailures`
  | 'ERR_VOLUME_KEYS_AWAITED' // no key opens it yet, and at least one of `keyFailures` may pass by itself
  | 'ERR_VOLUME_NOT_FOUND' // there is no volume with this id
  | 'ERR_VOLUME_KEPT' // it is not the agent's to wipe, or the agent can't do without it
  | 'ERR_VOLUME_REQUESTED' // somebody needs it mounted; the message says who
  | 'ERR_VOLUME_NOT_MOUNTABLE' // a volume of this kind has no mount
  | 'ERR_VOLUME_READ_ONLY' // its document lets nobody write to it
  | 'ERR_VOLUME_NOT_READY' // what was asked for needs a volume that is located, or open
  | 'ERR_VOLUME_MAPPING_TAKEN' // the mapping's name belongs to another device
  | 'ERR_VOLUME_TARGET_TAKEN' // something else is mounted on the target
  | 'ERR_VOLUME_HIDES_DATA' // what lies in the target's directory would be out of sight
  | 'ERR_VOLUME_ACCESS_CONTROL' // the kernel enforces labels of files, and these have none
  | 'ERR_VOLUME_FILESYSTEM' // the running system does not have this filesystem
  | 'ERR_VOLUME_CLAIMED' // another volume has this partition or disk
  | 'ERR_VOLUME_IN_USE' // half-made, yet mounted or opened by somebody
  | 'ERR_VOLUME_NO_ANSWER' // a read did not return within its deadline
  | 'ERR_VOLUME_NO_PROGRESS' // steps succeed and change nothing
  | 'ERR_VOLUME_NO_KEYSLOT' // every keyslot is taken or configured
  | 'ERR_VOLUME_DAMAGED' // its filesystem can't be repaired without a loss; see `reasons`
  | 'ERR_VOLUME_NO_SPACE'; // the room there was is gone

const kinds: ErrorKinds<VolumeErrorCode> = {
  ERR_VOLUME_AMBIGUOUS: 'refused',
  ERR_VOLUME_CONTENT: 'refused',
  ERR_VOLUME_NOT_EMPTY: 'refused',
  ERR_VOLUME_ENCRYPTED: 'refused',
  ERR_VOLUME_NOT_ENCRYPTED: 'refused',
  ERR_VOLUME_KEYS: 'refused',
  ERR_VOLUME_KEYS_AWAITED: 'unavailable',
  ERR_VOLUME_NOT_FOUND: 'not-found',
  ERR_VOLUME_KEPT: 'refused',
  ERR_VOLUME_REQUESTED: 'refused',
  ERR_VOLUME_NOT_MOUNTABLE: 'refused',
  ERR_VOLUME_READ_ONLY: 'refused',
  ERR_VOLUME_NOT_READY: 'refused',
  ERR_VOLUME_MAPPING_TAKEN: 'refused',
  ERR_VOLUME_TARGET_TAKEN: 'refused',
  ERR_VOLUME_HIDES_DATA: 'refused',
  ERR_VOLUME_ACCESS_CONTROL: 'refused',
  ERR_VOLUME_FILESYSTEM: 'refused',
  ERR_VOLUME_CLAIMED: 'refused',
  ERR_VOLUME_IN_USE: 'refused',
  ERR_VOLUME_NO_ANSWER: 'timeout',
  ERR_VOLUME_NO_PROGRESS: 'internal',
  ERR_VOLUME_NO_KEYSLOT: 'exhausted',
  ERR_VOLUME_DAMAGED: 'damaged',
  ERR_VOLUME_NO_SPACE: 'exhausted',
};

export type VolumeErrorDetails = ErrorOptions & {
  readonly reasons?: readonly string[];
  readonly keyFailures?: readonly KeyFailure[];
};

/** A volume that can't go on: which one, why, and who can end it. */
export class VolumeError extends CodedError<VolumeErrorCode> {
  readonly volumeId: string;
  readonly permanence: Permanence;
  readonly reasons: readonly string[];
  /** Why each key failed. */
  readonly keyFailures: readonly KeyFailure[];

  constructor(
    code: VolumeErrorCode,
    volumeId: string,
    message: string,
    permanence: Permanence,
    options: VolumeErrorDetails = {},
  ) {
    super(code, message, options);
    this.volumeId = volumeId;
    this.permanence = permanence;
    this.reasons = options.reasons ?? [];
    this.keyFailures = options.keyFailures ?? [];
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'VolumeError';
  }
}

/** Whose kinds speak of the volume itself. Errors of others, of a key server or of STATE, may pass whatever they say. */
const below = /^ERR_(?:BLOCK|LIBRARY|LUKS)_/u;

/** Codes whose kind does not say it. */
const exceptions: ReadonlyMap<string, Permanence> = new Map<string, Permanence>([
  ['ERR_LUKS_MEMORY', 'transient'], // exhausted, but not by the disk
]);

/** What can end this error. An error that is not classified may pass by itself. */
export function permanenceOf(error: unknown): Permanence {
  if (typeof error === 'object' && error !== null && 'permanence' in error) {
    const { permanence } = error;
    if (permanence === 'transient' || permanence === 'needs-operator' || permanence === 'fatal')
      return permanence;
  }
  const code = codeOf(error) ?? '';
  const stays = below.test(code) && policyOf(error)?.retry === 'useless';
  return exceptions.get(code) ?? (stays ? 'needs-operator' : 'transient');
}

import { CodedError, codeOf } from '@nodecore/sys';

import type { Permanence } from './status.ts';

export type VolumeErrorCode =
  | 'ERR_VOLUME_AMBIGUOUS' // several partitions or disks carry the volume
  | 'ERR_VOLUME_CONTENT' // the device holds something else
  | 'ERR_VOLUME_NOT_EMPTY' // no known content, but not proven empty either
  | 'ERR_VOLUME_ENCRYPTED' // encrypted, and the configuration has no keys
  | 'ERR_VOLUME_NOT_ENCRYPTED' // in clear, and the configuration wants encryption
  | 'ERR_VOLUME_KEYS' // no configured key opens it; see `reasons`
  | 'ERR_VOLUME_MAPPING_TAKEN' // the mapping's name belongs to another device
  | 'ERR_VOLUME_TARGET_TAKEN' // something else is mounted on the target
  | 'ERR_VOLUME_CLAIMED' // another volume has this partition or disk
  | 'ERR_VOLUME_IN_USE' // half-made, yet mounted or opened by somebody
  | 'ERR_VOLUME_NO_ANSWER' // a read did not return within its deadline
  | 'ERR_VOLUME_NO_PROGRESS' // steps succeed and change nothing
  | 'ERR_VOLUME_NO_SPACE'; // the room there was is gone

/** A volume that can't go on: which one, why, and who can end it. */
export class VolumeError extends CodedError<VolumeErrorCode> {
  readonly volumeId: string;
  readonly permanence: Permanence;
  readonly reasons: readonly string[];

  constructor(
    code: VolumeErrorCode,
    volumeId: string,
    message: string,
    permanence: Permanence,
    options: ErrorOptions & { readonly reasons?: readonly string[] } = {},
  ) {
    super(code, message, options);
    this.volumeId = volumeId;
    this.permanence = permanence;
    this.reasons = options.reasons ?? [];
  }

  static {
    this.prototype.name = 'VolumeError';
  }
}

/** Codes of the packages below that time alone does not cure. */
const permanences: ReadonlyMap<string, Permanence> = new Map<string, Permanence>([
  ['ERR_BLOCK_NOT_EMPTY', 'needs-operator'],
  ['ERR_BLOCK_FOREIGN_TABLE', 'needs-operator'],
  ['ERR_BLOCK_NO_SPACE', 'needs-operator'],
  ['ERR_LUKS_KEY_REJECTED', 'needs-operator'],
  ['ERR_LUKS_NOT_LUKS', 'needs-operator'],
  ['ERR_LUKS_VERSION', 'needs-operator'],
  ['ERR_LUKS_UNSUPPORTED', 'fatal'],
  ['ERR_LIBRARY_MISSING', 'needs-operator'],
]);

/** Who can end this error. What nobody has classified may pass by itself. */
export function permanenceOf(error: unknown): Permanence {
  if (typeof error === 'object' && error !== null && 'permanence' in error) {
    const { permanence } = error;
    if (permanence === 'transient' || permanence === 'needs-operator' || permanence === 'fatal')
      return permanence;
  }
  return permanences.get(codeOf(error) ?? '') ?? 'transient';
}

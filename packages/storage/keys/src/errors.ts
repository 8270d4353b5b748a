import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

import type { KeyFailure, Permanence } from './failure.ts';
import type { KeyKind } from './key-spec.ts';

export type KeysErrorCode =
  | 'ERR_KEYS_EMPTY' // a passphrase without a byte
  | 'ERR_KEYS_UUID_MISSING' // the machine has no UUID to derive a key from
  | 'ERR_KEYS_UUID_LOW_ENTROPY' // the machine's UUID is a placeholder
  | 'ERR_KEYS_SALT_MISSING' // locked to STATE, whose salt is not there yet
  | 'ERR_KEYS_NO_TPM' // this program was given no way to a TPM
  | 'ERR_KEYS_SECURE_BOOT' // enrolment wants Secure Boot, and it is not in force
  | 'ERR_KEYS_TOKEN_MISSING' // the keyslot has no token that this kind of key could come from
  | 'ERR_KEYS_TOKEN_INVALID' // a token that is damaged, or not what its type says
  | 'ERR_KEYS_TOKEN_UNSUPPORTED' // a token with a feature that we don't have; the message names it
  | 'ERR_KEYS_SLOT_ABSENT' // the header has no such keyslot
  | 'ERR_KEYS_REJECTED' // the key was obtained, and its keyslot does not open with it
  | 'ERR_KEYS_UNPROVEN' // what was stored did not give the key back; nothing that worked was removed
  | 'ERR_KEYS_TIMEOUT' // where the key comes from did not answer in time
  | 'ERR_KEYS_SLOT_RANGE' // LUKS2 has no such keyslot
  | 'ERR_KEYS_SLOT_CLASH' // two configured keys with one slot
  | 'ERR_KEYS_SLOT_FOREIGN' // the slot is somebody else's: a recovery key, or one added by hand
  | 'ERR_KEYS_SLOT_GUARDED' // the slot asks for more than a key of ours does, a PIN for instance
  | 'ERR_KEYS_NO_SPARE' // no spare keyslot or token, and no other key that is proven to stay
  | 'ERR_KEYS_NO_OPENER' // the key that should authorise changes does not open the volume
  | 'ERR_KEYS_NONE'; // no key opens the volume; see `failures`

const kinds: ErrorKinds<KeysErrorCode> = {
  ERR_KEYS_EMPTY: 'invalid',
  ERR_KEYS_UUID_MISSING: 'refused',
  ERR_KEYS_UUID_LOW_ENTROPY: 'refused',
  ERR_KEYS_SALT_MISSING: 'unavailable',
  ERR_KEYS_NO_TPM: 'unsupported',
  ERR_KEYS_SECURE_BOOT: 'refused',
  ERR_KEYS_TOKEN_MISSING: 'not-found',
  ERR_KEYS_TOKEN_INVALID: 'damaged',
  ERR_KEYS_TOKEN_UNSUPPORTED: 'unsupported',
  ERR_KEYS_SLOT_ABSENT: 'not-found',
  ERR_KEYS_REJECTED: 'refused',
  ERR_KEYS_UNPROVEN: 'refused',
  ERR_KEYS_TIMEOUT: 'timeout',
  ERR_KEYS_SLOT_RANGE: 'invalid',
  ERR_KEYS_SLOT_CLASH: 'invalid',
  ERR_KEYS_SLOT_FOREIGN: 'refused',
  ERR_KEYS_SLOT_GUARDED: 'refused',
  ERR_KEYS_NO_SPARE: 'exhausted',
  ERR_KEYS_NO_OPENER: 'refused',
  ERR_KEYS_NONE: 'refused',
};

const permanences: Readonly<Record<KeysErrorCode, Permanence>> = {
  ERR_KEYS_EMPTY: 'fatal',
  ERR_KEYS_UUID_MISSING: 'needs-operator',
  ERR_KEYS_UUID_LOW_ENTROPY: 'needs-operator',
  ERR_KEYS_SALT_MISSING: 'transient',
  ERR_KEYS_NO_TPM: 'needs-operator',
  ERR_KEYS_SECURE_BOOT: 'needs-operator',
  ERR_KEYS_TOKEN_MISSING: 'needs-operator',
  ERR_KEYS_TOKEN_INVALID: 'needs-operator',
  ERR_KEYS_TOKEN_UNSUPPORTED: 'needs-operator',
  ERR_KEYS_SLOT_ABSENT: 'needs-operator',
  ERR_KEYS_REJECTED: 'needs-operator',
  ERR_KEYS_UNPROVEN: 'needs-operator',
  ERR_KEYS_TIMEOUT: 'transient',
  ERR_KEYS_SLOT_RANGE: 'fatal',
  ERR_KEYS_SLOT_CLASH: 'fatal',
  ERR_KEYS_SLOT_FOREIGN: 'needs-operator',
  ERR_KEYS_SLOT_GUARDED: 'needs-operator',
  ERR_KEYS_NO_SPARE: 'needs-operator',
  ERR_KEYS_NO_OPENER: 'needs-operator',
  ERR_KEYS_NONE: 'needs-operator',
};

export type KeysErrorDetails = {
  readonly slot?: number;
  readonly kind?: KeyKind;
  readonly failures?: readonly KeyFailure[];
  readonly permanence?: Permanence;
  readonly cause?: unknown;
};

/** A key can't be obtained, stored or proven: which one, and whether waiting helps. Never contains key material. */
export class KeysError extends CodedError<KeysErrorCode> {
  /** The keyslot it is about; undefined when it is about none in particular. */
  readonly slot: number | undefined;
  readonly keyKind: KeyKind | undefined;
  readonly permanence: Permanence;
  /** Why each key failed, in slot order; of `ERR_KEYS_NONE`. */
  readonly failures: readonly KeyFailure[];

  constructor(code: KeysErrorCode, what: string, details: KeysErrorDetails = {}) {
    super(code, subject(details) + what, details.cause === undefined ? {} : { cause: details.cause });
    this.slot = details.slot;
    this.keyKind = details.kind;
    this.permanence = details.permanence ?? permanences[code];
    this.failures = details.failures ?? [];
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'KeysError';
  }
}

function subject({ slot, kind }: KeysErrorDetails): string {
  if (slot === undefined) return kind === undefined ? '' : `${kind} key: `;
  return `${kind === undefined ? '' : `${kind} `}key of slot ${slot}: `;
}

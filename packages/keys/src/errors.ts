import { CodedError } from '@nodecore/sys';

import type { KeyKind } from './key-spec.ts';

export type KeyErrorCode =
  | 'ERR_KEY_EMPTY' // a passphrase without a byte
  | 'ERR_KEY_UUID_MISSING' // the machine has no UUID to derive a key from
  | 'ERR_KEY_UUID_LOW_ENTROPY'; // the machine's UUID is a placeholder

/**
 * What can help: waiting (`transient`), a change to the machine or its surroundings (`needs-operator`), or nothing but
 * another configuration (`fatal`).
 */
export type Permanence = 'transient' | 'needs-operator' | 'fatal';

const permanences: Readonly<Record<KeyErrorCode, Permanence>> = {
  ERR_KEY_EMPTY: 'fatal',
  ERR_KEY_UUID_MISSING: 'needs-operator',
  ERR_KEY_UUID_LOW_ENTROPY: 'needs-operator',
};

/** A key can't be obtained: which one, and whether waiting helps. The message never contains key material. */
export class KeyError extends CodedError<KeyErrorCode> {
  readonly slot: number;
  readonly kind: KeyKind;
  readonly permanence: Permanence;

  constructor(code: KeyErrorCode, slot: number, kind: KeyKind, what: string) {
    super(code, `${kind} key of slot ${slot}: ${what}`);
    this.slot = slot;
    this.kind = kind;
    this.permanence = permanences[code];
  }

  static {
    this.prototype.name = 'KeyError';
  }
}

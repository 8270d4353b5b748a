import { codeOf, policyOf } from '@nodecore/sys';

import type { KeyKind, KeySpec } from './key-spec.ts';

/**
 * What can help: waiting (`transient`), a change to the machine or its surroundings (`needs-operator`), or nothing but
 * another configuration (`fatal`).
 */
export type Permanence = 'transient' | 'needs-operator' | 'fatal';

/** Why one key was not obtained, stored or proven, as a value: for reports and resources. No key material in it. */
export type KeyFailure = {
  readonly slot: number;
  readonly kind: KeyKind;
  /** Of `KeysError`, `TpmError`, `KmsError`, `LuksError`, or an errno. */
  readonly code: string;
  readonly message: string;
  readonly permanence: Permanence;
};

/** Codes whose kind does not say it. */
const exceptions: Readonly<Record<string, Permanence>> = {
  ERR_TPM_LOCKOUT: 'transient', // it ends by itself
  ERR_KMS_ENDPOINT: 'fatal',
  ERR_LUKS_MEMORY: 'transient',
  EBUSY: 'transient',
  EAGAIN: 'transient',
  EINTR: 'transient',
};

/** The failure that an error means for a key. */
export function failureOf({ slot, kind }: KeySpec, error: unknown): KeyFailure {
  const message = error instanceof Error ? error.message : String(error);
  return { slot, kind, code: codeOf(error) ?? 'ERR_KEYS_FAILED', message, permanence: permanenceOf(error) };
}

/** The error's own `permanence`, else that of its kind; `needs-operator` where the kind does not say that it passes. */
export function permanenceOf(error: unknown): Permanence {
  const own = error instanceof Error && 'permanence' in error ? error.permanence : undefined;
  if (own === 'transient' || own === 'needs-operator' || own === 'fatal') return own;
  const byKind = policyOf(error)?.retry === 'helps' ? 'transient' : 'needs-operator';
  return exceptions[codeOf(error) ?? ''] ?? byKind;
}

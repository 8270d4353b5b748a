import type { Secret } from '@nodecore/sys';

import type { Bank } from './banks.ts';
import type { Measured } from './measured.ts';

/** Under which circumstances the TPM gives a secret back. All that is named must hold. */
export type SealPolicy = {
  /**
   * Registers that must have their present values; in any order. None: no such condition. Of the bank that the machine
   * measures into: SHA-256, where that is not in use SHA-384 or SHA-512.
   */
  readonly pcrs: readonly number[];
  /** RSA, PEM: the holder of the private key signs which values `publicKeyPcrs` may have (PolicyAuthorize). */
  readonly publicKey?: Uint8Array;
  /** `[11]` by default: what a unified kernel image measures. */
  readonly publicKeyPcrs?: readonly number[];
  /** Must be given to unseal. Wrong ones count towards the TPM's lockout. */
  readonly pin?: Secret;
};

/** Everything that a `systemd-tpm2` token carries, as a value. There is no secret in it. */
export type SealedObject = {
  /** TPM2B_PRIVATE ‖ TPM2B_PUBLIC, marshalled: systemd's `tpm2-blob`. */
  readonly blob: Uint8Array;
  /** Ascending; empty without a literal binding. */
  readonly pcrs: readonly number[];
  readonly bank: Bank;
  /** Template of the storage root key: systemd's `tpm2-primary-alg`. */
  readonly primaryAlg: 'ecc' | 'rsa';
  /** Digest of the policy that the object demands. */
  readonly policyHash: Uint8Array;
  /** A PIN is needed. */
  readonly pin: boolean;
  /** PEM. */
  readonly publicKey?: Uint8Array;
  /** Ascending; empty without `publicKey`. */
  readonly publicKeyPcrs: readonly number[];
  /** systemd 253 and later: what a PIN is hardened with. */
  readonly salt?: Uint8Array;
  /**
   * A serialized handle of the persistent storage root key it was sealed under, as systemd has it since 254; absent for what
   * was sealed under a key from the template.
   */
  readonly srk?: Uint8Array;
  /** Name (hash algorithm ‖ SHA-256) of the storage root key it was sealed under. Ours; foreign tokens lack it. */
  readonly keyName?: Uint8Array;
  /** What the machine had measured when it was sealed, to explain a mismatch. Ours; foreign tokens lack it. */
  readonly measured?: Measured;
};

import type { AddonHandle } from './addon-handle.ts';

/** Why the TPM's thread could not do what it was asked. Facts only. */
export type AddonTpmFailure = {
  readonly condition: 'response' | 'library' | 'key' | 'policy' | 'proof' | 'blob';
  readonly call: string;
  readonly responseCode: number;
  /** The shared library that is missing, for `library`. */
  readonly library: string;
};

export type AddonSealed = {
  readonly blob: Buffer;
  readonly keyName: Buffer;
  readonly primaryAlg: number;
  /** The serialized ESYS handle of the key that it was sealed under; absent when that was made from the template. */
  readonly srk?: Buffer;
};

export type AddonTpmReply = { readonly id: number } & (
  | { readonly failure: AddonTpmFailure; readonly value?: undefined }
  | { readonly failure?: undefined; readonly value: Buffer | Uint32Array | AddonSealed | undefined }
);

/** The steps of a policy session, in the order in which they are taken. */
export type AddonPolicy = {
  /** PolicyAuthorize: absent without a public key. */
  readonly modulus: Uint8Array | undefined;
  readonly exponent: number;
  readonly authorizeAlg: number;
  readonly authorizeMask: number;
  /** The approved policy and its signature; undefined in a trial. */
  readonly approved: Uint8Array | undefined;
  /** SHA-256 of `approved`: what the signature is over. */
  readonly approvedDigest: Uint8Array | undefined;
  readonly signature: Uint8Array | undefined;
  /** PolicyPCR: not taken when the mask is 0. */
  readonly pcrAlg: number;
  readonly pcrMask: number;
  /** PolicyAuthValue. */
  readonly authValue: boolean;
};

export type AddonTpm = AddonHandle & {
  receive(): readonly AddonTpmReply[];
  /** False when it runs or has ended already. */
  cancel(id: number): boolean;
  connect(id: number): void;
  disconnect(id: number): void;
  readPcrs(id: number, algorithm: number, mask: number): void;
  extendPcr(id: number, pcr: number, algorithm: number, digest: Uint8Array): void;
  capability(id: number, capability: number, property: number, count: number): void;
  seal(
    id: number,
    primaryAlg: number,
    secret: Uint8Array,
    auth: Uint8Array,
    policyDigest: Uint8Array,
    policy: AddonPolicy,
  ): void;
  unseal(
    id: number,
    primaryAlg: number,
    srk: Uint8Array | undefined,
    keyName: Uint8Array | undefined,
    blob: Uint8Array,
    auth: Uint8Array,
    policyDigest: Uint8Array,
    policy: AddonPolicy,
  ): void;
};

import type { ClientOptions } from '@nodecore/kms';
import type { Secret } from '@nodecore/sys';
import type { PcrSignatures, SealedObject, SealPolicy } from '@nodecore/tpm';

type TpmRequest = { readonly signatures?: PcrSignatures; readonly signal?: AbortSignal };

/** What keys asks of a TPM: the `Tpm` of `@nodecore/tpm`, or something that behaves like it. */
export interface KeyTpm extends AsyncDisposable {
  seal(secret: Secret, policy: SealPolicy, options?: TpmRequest): Promise<SealedObject>;
  unseal(sealed: SealedObject, options?: TpmRequest): Promise<Secret>;
}

/** The key that a boot image's measurements are signed with, and the signatures; both absent without such an image. */
export type PcrSigning = {
  /** PEM. */
  readonly publicKey?: Uint8Array;
  readonly signatures?: PcrSignatures;
};

/** What is sealed, and for whom. */
export type SealRequest = { readonly nodeUuid: string; readonly data: Secret; readonly volume: string };
export type UnsealRequest = {
  readonly nodeUuid: string;
  readonly data: Uint8Array;
  readonly volume: string;
};

/** What keys asks of a key server. */
export interface KeyServer {
  seal(endpoint: string, request: SealRequest, options: ClientOptions): Promise<Uint8Array>;
  unseal(endpoint: string, request: UnsealRequest, options: ClientOptions): Promise<Secret>;
}

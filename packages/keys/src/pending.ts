import * as kms from '@nodecore/kms';
import type { Secret } from '@nodecore/sys';

export type SealedObject = {
  readonly blob: Uint8Array;
  readonly pcrs: readonly number[];
  readonly bank: Bank;
  readonly primaryAlg: 'ecc' | 'rsa';
  readonly policyHash: Uint8Array;
  readonly pin: boolean;
  readonly publicKey?: Uint8Array;
  readonly publicKeyPcrs: readonly number[];
  readonly salt?: Uint8Array;
  readonly srk?: Uint8Array;
  readonly keyName?: Uint8Array;
  readonly measured?: Measured;
};
export type Bank = 'sha1' | 'sha256' | 'sha384' | 'sha512';
export type Measured = {
  readonly values: ReadonlyMap<number, Uint8Array>;
  readonly events: readonly { pcr: number; type: string; digest: string; what: string }[];
};
export type SealPolicy = {
  readonly pcrs: readonly number[];
  readonly publicKey?: Uint8Array;
  readonly publicKeyPcrs?: readonly number[];
  readonly pin?: Secret;
};
export type PcrSignatures = readonly {
  readonly bank: Bank;
  readonly pcrs: readonly number[];
  readonly fingerprint: string;
  readonly policy: Uint8Array;
  readonly signature: Uint8Array;
}[];
export const bankNames: readonly Bank[] = ['sha1', 'sha256', 'sha384', 'sha512'];
export const measuredToJson = (_measured: Measured): unknown => ({});
export const measuredFromJson = (_json: unknown): Measured | undefined => undefined;
type Calls = {
  seal(e: kms.Endpoint, r: kms.SealRequest, o: kms.ClientOptions): Promise<Uint8Array>;
  unseal(e: kms.Endpoint, r: kms.UnsealRequest, o: kms.ClientOptions): Promise<Secret>;
};
export const calls: Calls = kms as unknown as Calls;

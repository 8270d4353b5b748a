import type { KeyFailure, KeySpec, SyncReport } from '@nodecore/keys';
import { Secret } from '@nodecore/sys';

/** A key of a test as JSON carries it into a machine. */
export type PlainSpec = { readonly slot: number } & (
  | { readonly kind: 'static'; readonly passphrase: string }
  | { readonly kind: 'nodeID' }
  | { readonly kind: 'kms'; readonly endpoint: string }
  | {
      readonly kind: 'tpm';
      readonly pcrs: readonly number[];
      readonly checkSecurebootStatusOnEnroll: boolean;
    }
);

export function keySpec(plain: PlainSpec): KeySpec {
  if (plain.kind !== 'static') return plain;
  return { ...plain, passphrase: Secret.copy(Buffer.from(plain.passphrase)) };
}

/** Which machine, which volume: what keys are bound to in these tests. */
export const identity = {
  machineUuid: 'b0a1c5b3-6f0e-4c0f-9d3f-5a1d7c2e9f60',
  volumeId: 'u-test',
} as const;

/** Costs of keyslots that an emulated processor can pay. */
export const cheap = { type: 'pbkdf2', iterations: 1000 } as const;

/** What a volume's opening came to. */
export type Opened = {
  /** The key that opened it; undefined when none did. */
  readonly opener?: { readonly slot: number; readonly kind: KeySpec['kind'] };
  /** Why the keys before it did not. */
  readonly failures: readonly KeyFailure[];
  /** Of the synchronisation afterwards, where one was asked for. */
  readonly report?: SyncReport;
};

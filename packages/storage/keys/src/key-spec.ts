import type { ClientOptions } from '@nodecore/kms';
import type { Secret } from '@nodecore/sys';
import type { SecureBoot } from '@nodecore/tpm';

import type { KeyServer, KeyTpm, PcrSigning } from './sealers.ts';

/** Where the key of a keyslot comes from. */
export type KeySpec = {
  readonly slot: number;
  /** The salt of STATE is appended to the key: without STATE of this node it opens nothing. False by default. */
  readonly lockToState?: boolean;
} & (
  | {
      /** A passphrase from the configuration, used byte for byte. */
      readonly kind: 'static';
      readonly passphrase: Secret;
    }
  | {
      /** Derived from what identifies the node and the volume. It protects a disk that leaves its machine, no more. */
      readonly kind: 'nodeID';
    }
  | {
      /** Random, sealed by a key server that must be asked to unlock. */
      readonly kind: 'kms';
      /** `grpcs://host:port` and the like; see `parseEndpoint` of `@nodecore/kms`. */
      readonly endpoint: string;
    }
  | {
      /** Random, sealed by the machine's TPM. */
      readonly kind: 'tpm';
      /** Registers that must have their present values; in any order. None: no such condition. */
      readonly pcrs: readonly number[];
      /** Refuses to seal while Secure Boot is not in force. Looked at when a key is made, not when it is used. */
      readonly checkSecurebootStatusOnEnroll: boolean;
    }
);

export type KeyKind = KeySpec['kind'];

/** A spec of one kind. */
export type KeySpecOf<Kind extends KeyKind> = Extract<KeySpec, { readonly kind: Kind }>;

/** What keys may be bound to, and the ways to what seals them. Whatever is left out is not there. */
export type KeyContext = {
  /** The machine's UUID as text, from SMBIOS or its override; empty when there is none. */
  readonly machineUuid: string;
  /** Id of the volume, which is the label of its partition. */
  readonly volumeId: string;
  /** Of STATE, 32 bytes, for keys that are locked to it; undefined while STATE is not there. It stays the caller's. */
  readonly salt?: Secret;
  /** Opens a connection to the TPM; keys closes it after each operation. */
  readonly tpm?: (options: { readonly signal?: AbortSignal }) => Promise<KeyTpm>;
  /** The boot image's signing key and signatures (`pcrSignatures` of `@nodecore/tpm`). Read for each operation. */
  readonly tpmSignatures?: () => Promise<PcrSigning>;
  /** Whether Secure Boot is in force (`secureBoot` of `@nodecore/tpm`), for `checkSecurebootStatusOnEnroll`. */
  readonly secureBoot?: () => Promise<SecureBoot>;
  /** Trust, identity and time limits towards key servers. */
  readonly kms?: ClientOptions;
  /** How key servers are asked; `@nodecore/kms` by default. */
  readonly keyServer?: KeyServer;
};

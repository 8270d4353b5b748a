import type { Secret } from '@nodecore/sys';

/** Where the key of a keyslot comes from. */
export type KeySpec = { readonly slot: number } & (
  | {
      /** A passphrase from the configuration, used byte for byte. */
      readonly kind: 'static';
      readonly passphrase: Secret;
    }
  | {
      /** Derived from what identifies the node and the volume. It protects a disk that leaves its machine, no more. */
      readonly kind: 'nodeID';
    }
);

export type KeyKind = KeySpec['kind'];

/** What keys may be bound to. */
export type KeyContext = {
  /** The machine's UUID as text, from SMBIOS or its override; empty when there is none. */
  readonly machineUuid: string;
  /** Id of the volume, which is the label of its partition. */
  readonly volumeId: string;
};

import type { KeyslotKdf, Token, TokenJson } from '@nodecore/luks';
import type { Secret } from '@nodecore/sys';

/** Keyslots and tokens of a header at one moment. */
export type HeaderState = {
  /** Numbers of the keyslots that lead to the volume key, ascending. */
  readonly keyslots: readonly number[];
  /** All keyslots that are taken, whatever for; the same as `keyslots` unless something unusual lives in the header. */
  readonly taken: readonly number[];
  readonly tokens: readonly Token[];
  /** What a guess at each of `keyslots` costs; absent where the store does not know. */
  readonly costs?: readonly KeyslotCost[];
};

/** The key derivation of a keyslot. */
export type KeyslotCost = KeyslotKdf & { readonly slot: number };

export type Waiting = { readonly signal?: AbortSignal };
export type KeyAttempt = Waiting & { readonly slot: number; readonly key: Secret };
export type AddKeyslot = KeyAttempt & {
  readonly existing: Secret;
  /** The key has 256 random bits, so that its keyslot may be cheap to open; false by default. */
  readonly isRandom?: boolean;
};
/** `remaining` opens another keyslot: proof that nobody is locked out. */
export type DestroyKeyslot = Waiting & { readonly slot: number; readonly remaining: Secret };
export type SetToken = Waiting & { readonly id?: number; readonly token: TokenJson };

/**
 * A LUKS2 header as keys uses it: the seam below synchronisation. Each change is one write, which happens whole or
 * not at all, and in the order of the calls.
 */
export interface KeyslotStore {
  read(options?: Waiting): Promise<HeaderState>;
  /** Whether the key opens the keyslot; false also where there is no such keyslot. Costs a key derivation. */
  test(attempt: KeyAttempt): Promise<boolean>;
  /** Fills a free keyslot, and never replaces one. */
  add(options: AddKeyslot): Promise<void>;
  /** Removes a keyslot; tokens lose their reference to it in the same write. */
  destroy(options: DestroyKeyslot): Promise<void>;
  /** Writes a token, with the keyslots that it names: a new one, or in place of the one with this id. */
  setToken(options: SetToken): Promise<number>;
  removeToken(options: Waiting & { readonly id: number }): Promise<void>;
}

import type { Pbkdf } from '@nodecore/luks';

import type { KeySpec } from './key-spec.ts';

/**
 * The fewest iterations that libcryptsetup takes. Who does not know a key of 256 random bits can't guess it, however fast a
 * guess is; systemd-cryptenroll costs its keys the same.
 */
const fewest: Pbkdf = { type: 'pbkdf2', iterations: 1000 };

/** Whether the key of a spec is 256 bits that this node drew. Passphrases and what is known of a machine can be guessed. */
export function isRandomKey({ kind }: Pick<KeySpec, 'kind'>): boolean {
  return kind === 'tpm' || kind === 'kms';
}

/**
 * What the keyslot of a key costs: little for random keys, and for all others what was chosen, or what luks chooses for this
 * machine.
 */
export function keyCosts(isRandom: boolean | undefined, chosen?: Pbkdf): { readonly pbkdf?: Pbkdf } {
  if (isRandom === true) return { pbkdf: fewest };
  return chosen === undefined ? {} : { pbkdf: chosen };
}

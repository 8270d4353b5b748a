import { constants } from 'node:os';

import type { Secret } from '@nodecore/sys';

import { CRYPT_ANY_SLOT } from './constants.ts';
import { LuksError, type LuksErrorCode, unsupported } from './errors.ts';
import type { Handle } from './handle.ts';

/** A key to try. Without a slot every keyslot is tried, which costs a key derivation each. */
export type KeyAttempt = { readonly key: Secret; readonly slot?: number };

/** LUKS2 has keyslots 0 to 31. */
const slots = 32;

/** EPERM is the library's word for "no keyslot opens", ENOENT for a keyslot that is not there. */
const rejected: Readonly<Record<number, LuksErrorCode>> = {
  [constants.errno.EPERM]: 'ERR_LUKS_KEY_REJECTED',
  [constants.errno.ENOENT]: 'ERR_LUKS_KEY_REJECTED',
};

/** Refuses what no keyslot can be, before anything is touched. */
export function checkAttempt(device: string, { key, slot }: KeyAttempt): void {
  if (key.sizeBytes === 0) throw unsupported(device, 'the key is empty');
  if (slot !== undefined && !(Number.isInteger(slot) && slot >= 0 && slot < slots)) {
    throw unsupported(device, `keyslot ${slot}`);
  }
}

/**
 * Opens a keyslot with a key, and with a name also activates the mapping.
 *
 * @returns the keyslot, or undefined when the key was rejected.
 */
export async function tryKey(
  handle: Handle,
  attempt: KeyAttempt,
  activate?: { readonly name: string; readonly flags: number },
): Promise<number | undefined> {
  const { key, slot = CRYPT_ANY_SLOT } = attempt;
  const status = await handle.call(
    'crypt_activate_by_passphrase',
    activate?.name ?? null,
    slot,
    key.bytes,
    key.sizeBytes,
    activate?.flags ?? 0,
  );
  if (status >= 0) return status;
  if (rejected[-status] !== undefined) return undefined;
  throw handle.error('crypt_activate_by_passphrase', status);
}

export function keyRejected(device: string): LuksError {
  return new LuksError('ERR_LUKS_KEY_REJECTED', device, 'EPERM', `${device}: no keyslot opens with this key`);
}

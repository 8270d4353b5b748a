import { constants } from 'node:os';

import { availableMemoryKib, type Secret } from '@nodecore/sys';

import { CRYPT_ACTIVATE_SERIALIZE_MEMORY_HARD_PBKDF, CRYPT_ANY_SLOT } from './constants.ts';
import { LuksError, type LuksErrorCode, unsupported } from './errors.ts';
import type { Handle } from './handle.ts';
import type { HeaderFacts } from './header-json.ts';
import { memoryError } from './memory.ts';
import { keyslotLimit } from './token-json.ts';

/** A key to try. Without a slot every keyslot is tried, which costs a key derivation each. */
export type KeyAttempt = { readonly key: Secret; readonly slot?: number };

/** The library fails with EPERM when no keyslot opens, with ENOENT for a keyslot that does not exist. */
const rejected: Readonly<Record<number, LuksErrorCode>> = {
  [constants.errno.EPERM]: 'ERR_LUKS_KEY_REJECTED',
  [constants.errno.ENOENT]: 'ERR_LUKS_KEY_REJECTED',
};

/** Errnos of one keyslot while others may open: its area can't be read, or its memory can't be allocated. */
const ofKeyslot: readonly number[] = [constants.errno.EIO, constants.errno.ENOMEM];

/**
 * Checks an attempt before the device is touched.
 *
 * @throws {TypeError} for a key that is no Secret.
 * @throws {LuksError} `ERR_LUKS_UNSUPPORTED` for an empty key, or a number that no keyslot has.
 */
export function checkAttempt(device: string, { key, slot }: KeyAttempt): void {
  requireSecret(key);
  if (key.sizeBytes === 0) throw unsupported(device, 'the key is empty');
  if (slot !== undefined && !(Number.isInteger(slot) && slot >= 0 && slot < keyslotLimit)) {
    throw unsupported(device, `keyslot ${slot}`);
  }
}

/**
 * Refuses text and plain bytes, of which copies would stay in memory. For callers without types.
 *
 * @throws {TypeError}
 */
function requireSecret(key: unknown): void {
  if (typeof key === 'object' && key !== null && 'bytes' in key && 'sizeBytes' in key) return;
  const what = key === null ? 'null' : ArrayBuffer.isView(key) ? 'plain bytes' : typeof key;
  throw new TypeError(
    `a key is a Secret, not ${what}: Secret.copy(Buffer.from(passphrase)), of @nodecore/sys`,
  );
}

/** The result of one attempt. */
export type Attempted = {
  /** The keyslot that opened; undefined when none did. */
  readonly keyslot: number | undefined;
  /** Set when keyslots were left out: no memory for their key derivation, or the disk does not read them. */
  readonly refused?: LuksError;
};

/**
 * Opens a keyslot with a key, and with a name also activates the mapping.
 *
 * Leaves out a keyslot that needs more memory than is available, for which the kernel would kill a process, and one that
 * the disk does not read, at which the library would stop. The key of another keyslot still opens the volume then.
 */
export async function tryKey(
  handle: Handle,
  facts: HeaderFacts,
  attempt: KeyAttempt,
  activate?: Activation,
): Promise<Attempted> {
  const { key, slot } = attempt;
  const candidates = facts.keyslots.filter((keyslot) =>
    // As the library has it: a keyslot to ignore is tried only when it is asked for.
    slot === undefined ? keyslot.bound && keyslot.priority !== 'ignore' : keyslot.slot === slot,
  );
  const needed = Math.max(0, ...candidates.map(({ kdf }) => kdf.memoryKib ?? 0));
  const available = needed === 0 ? 0 : await availableMemoryKib();
  let refused = needed > available ? memoryError(handle.device, needed, available) : undefined;
  if (refused === undefined) {
    const result = await tryOne(handle, key, slot ?? CRYPT_ANY_SLOT, activate);
    if (result.refused === undefined || slot !== undefined) return result;
    refused = result.refused;
  }
  const fitting = candidates
    .filter(({ kdf }) => (kdf.memoryKib ?? 0) <= available)
    .toSorted((a, b) => Number(b.priority === 'prefer') - Number(a.priority === 'prefer'));
  for (const keyslot of fitting) {
    const result = await tryOne(handle, key, keyslot.slot, activate);
    if (result.keyslot !== undefined) return result;
  }
  return { keyslot: undefined, refused };
}

type Activation = { readonly name: string; readonly flags: number };

async function tryOne(handle: Handle, key: Secret, slot: number, activate?: Activation): Promise<Attempted> {
  const status = await handle.call(
    'crypt_activate_by_passphrase',
    activate?.name ?? null,
    slot,
    key.bytes,
    key.sizeBytes,
    (activate?.flags ?? 0) | serialized(),
  );
  if (status >= 0) return { keyslot: status };
  if (rejected[-status] !== undefined) return { keyslot: undefined };
  if (ofKeyslot.includes(-status)) {
    return { keyslot: undefined, refused: handle.error('crypt_activate_by_passphrase', status) };
  }
  throw handle.error('crypt_activate_by_passphrase', status);
}

/**
 * Two unlocks side by side need twice the memory. Within the process the queue keeps them apart; between processes the
 * library does where a derivation takes more than 32 MiB, with a lock in /run/cryptsetup that only root can make. It is
 * held for one derivation. systemd takes the same one.
 */
function serialized(): number {
  return process.getuid?.() === 0 ? CRYPT_ACTIVATE_SERIALIZE_MEMORY_HARD_PBKDF : 0;
}

/** The `ERR_LUKS_KEY_REJECTED` of a key that no tried keyslot opens with; the caller throws it. */
export function keyRejected(device: string): LuksError {
  return new LuksError('ERR_LUKS_KEY_REJECTED', device, 'EPERM', `${device}: no keyslot opens with this key`);
}

/** Refuses a keyslot that the header does not have. */
export function requireKeyslot(device: string, facts: HeaderFacts, slot: number): void {
  if (!facts.keyslots.some((keyslot) => keyslot.slot === slot))
    throw new LuksError('ERR_LUKS_NOT_FOUND', device, 'ENOENT', `${device}: no keyslot ${slot}`);
}

import { constants } from 'node:os';

import type { Secret } from '@nodecore/sys';

import { CRYPT_ANY_SLOT } from './constants.ts';
import { LuksError } from './errors.ts';
import type { PbkdfStruct } from './ffi.ts';
import type { Handle } from './handle.ts';
import type { HeaderFacts } from './header-json.ts';
import { tryKey } from './key.ts';
import { freeRange } from './keyslot-area.ts';
import { refuseWeaker, setCosts } from './keyslot-cost.ts';
import { loadTrusted, readFacts } from './load.ts';
import { requireMemory } from './memory.ts';
import { keyslotLimit } from './token-json.ts';

/** A keyslot to make. */
export type NewKeyslot = {
  /** Opens the volume now. */
  readonly existing: Secret;
  readonly key: Secret;
  /** The first free one by default. */
  readonly slot?: number;
  readonly pbkdf: PbkdfStruct;
  /** The handle has made a keyslot with these costs already: the next one gets the same, measured or not. */
  readonly areCostsSet?: boolean;
  /** Open it afterwards, from what is on the disk. */
  readonly prove: boolean;
};

/**
 * Fills a keyslot that is free. What there is no room or no memory for is refused before anything is written, and a
 * keyslot that costs less than was asked for, or does not open, is taken back.
 */
export async function addKeyslot(handle: Handle, facts: HeaderFacts, wanted: NewKeyslot): Promise<number> {
  const { device } = handle;
  const { existing, key, slot = CRYPT_ANY_SLOT, pbkdf } = wanted;
  if (facts.keyslots.some((used) => used.slot === slot)) {
    throw new LuksError('ERR_LUKS_BUSY', device, 'EEXIST', `${device}: keyslot ${slot} is in use`);
  }
  requireRoom(device, facts, handle.volumeKeySizeBits / 8);
  const tried = facts.keyslots.filter(({ bound, priority }) => bound && priority !== 'ignore');
  await requireMemory(device, Math.max(pbkdf.max_memory_kb, ...tried.map(({ kdf }) => kdf.memoryKib ?? 0)));
  if (wanted.areCostsSet !== true) await setCosts(handle, pbkdf);
  const added = await handle.check(
    'crypt_keyslot_add_by_passphrase',
    { [constants.errno.EPERM]: 'ERR_LUKS_KEY_REJECTED' },
    slot,
    existing.bytes,
    existing.sizeBytes,
    key.bytes,
    key.sizeBytes,
  );
  try {
    refuseWeaker(device, readFacts(handle), added, pbkdf);
    if (wanted.prove) await prove(device, key, added);
  } catch (error) {
    // Taken back: what it opened with before is untouched.
    await handle.call('crypt_keyslot_destroy', added);
    throw error;
  }
  return added;
}

/** Opens the new keyslot by a handle of its own, which reads the disk again. */
async function prove(device: string, key: Secret, slot: number): Promise<void> {
  const { handle, facts } = await loadTrusted(device);
  await using _ = handle;
  const result = await tryKey(handle, facts, { key, slot });
  if (result.keyslot === slot) return;
  throw (
    result.refused ??
    new LuksError('ERR_LUKS_FAILED', device, '', `${device}: keyslot ${slot} does not open with its new key`)
  );
}

/** The library says EINVAL for both. */
function requireRoom(device: string, facts: HeaderFacts, keyBytes: number): void {
  if (facts.keyslots.length >= keyslotLimit) {
    throw new LuksError('ERR_LUKS_FULL', device, '', `${device}: all ${keyslotLimit} keyslots are in use`);
  }
  if (freeRange(facts, facts.areas, keyBytes) === undefined) {
    throw new LuksError('ERR_LUKS_FULL', device, '', `${device}: the header has no room for another keyslot`);
  }
}

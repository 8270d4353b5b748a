import type { Secret } from '@nodecore/sys';

import {
  CRYPT_SLOT_PRIORITY_IGNORE,
  CRYPT_SLOT_PRIORITY_NORMAL,
  CRYPT_SLOT_PRIORITY_PREFER,
} from './constants.ts';
import type { Handle } from './handle.ts';
import type { HeaderFacts, KeyslotPriority } from './header-json.ts';
import { checkAttempt, keyRejected, tryKey } from './key.ts';
import { addKeyslot } from './keyslot-add.ts';
import { loadTrusted, readFacts } from './load.ts';
import { chooseCosts, type Pbkdf } from './pbkdf.ts';
import { exclusively } from './queue.ts';

export type ChangeKeyslotOptions = {
  /** The key to replace. */
  readonly existing: Secret;
  readonly key: Secret;
  /** The keyslot to change; the one that `existing` opens by default. */
  readonly slot?: number;
  readonly pbkdf?: Pbkdf;
  readonly signal?: AbortSignal;
};

const priorities: Readonly<Record<KeyslotPriority, number>> = {
  ignore: CRYPT_SLOT_PRIORITY_IGNORE,
  normal: CRYPT_SLOT_PRIORITY_NORMAL,
  prefer: CRYPT_SLOT_PRIORITY_PREFER,
};

/**
 * Gives a keyslot another key. It keeps its number, its priority and its tokens.
 *
 * The new key is stored in a spare keyslot and proved there before the old keyslot goes, and proved in its place before
 * the spare one goes. A crash leaves at worst one keyslot more than before, and at every moment the old or the new key
 * opens the volume. That takes seven key derivations.
 *
 * @returns the keyslot.
 * @throws {LuksError} `ERR_LUKS_FULL` without a spare keyslot, `ERR_LUKS_KEY_REJECTED` when `existing` does not open the
 *   keyslot; both before anything is changed.
 */
export async function change(device: string, options: ChangeKeyslotOptions): Promise<number> {
  const { existing, key, signal } = options;
  checkAttempt(device, options.slot === undefined ? { key } : { key, slot: options.slot });
  checkAttempt(device, { key: existing });
  const pbkdf = chooseCosts(device, options.pbkdf);
  return await exclusively({ device, signal }, async () => {
    const { handle, facts } = await loadTrusted(device);
    await using _ = handle;
    const attempt = options.slot === undefined ? { key: existing } : { key: existing, slot: options.slot };
    const { keyslot: slot, refused } = await tryKey(handle, facts, attempt);
    if (slot === undefined) throw refused ?? keyRejected(device);
    signal?.throwIfAborted();
    const spare = await addKeyslot(handle, facts, { existing, key, pbkdf, prove: true });
    await take(handle, facts, slot, spare);
    await handle.check('crypt_keyslot_destroy', {}, slot);
    // From here on the new key is the only one: the rest is finished, whatever the signal says.
    const wanted = { existing: key, key, slot, pbkdf, areCostsSet: true, prove: true };
    await addKeyslot(handle, readFacts(handle), wanted);
    await take(handle, facts, slot, slot);
    await handle.check('crypt_keyslot_destroy', {}, spare);
    return slot;
  });
}

/** Gives a keyslot the priority and the tokens that `from` had when `facts` were read. */
async function take(handle: Handle, facts: HeaderFacts, from: number, to: number): Promise<void> {
  const priority = facts.keyslots.find(({ slot }) => slot === from)?.priority ?? 'normal';
  if (priority !== 'normal') await setPriorityOf(handle, to, priority);
  for (const { id, json } of facts.tokens) {
    if (json.keyslots.includes(String(from))) await handle.check('crypt_token_assign_keyslot', {}, id, to);
  }
}

/**
 * Changes the header. Call it inside the queue, for a keyslot that exists.
 *
 * @throws {LuksError} when the library refuses.
 */
export async function setPriorityOf(handle: Handle, slot: number, priority: KeyslotPriority): Promise<void> {
  await handle.check('crypt_keyslot_set_priority', {}, slot, priorities[priority]);
}

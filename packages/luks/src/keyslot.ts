import { constants } from 'node:os';

import type { Secret } from '@nodecore/sys';

import { CRYPT_ANY_SLOT } from './constants.ts';
import { LuksError } from './errors.ts';
import type { Keyslot } from './header-json.ts';
import type { ReadOptions } from './header.ts';
import { checkAttempt, keyRejected, tryKey } from './key.ts';
import { loadHandle, loadTrusted, readFacts } from './load.ts';
import { chooseCosts, type Pbkdf } from './pbkdf.ts';
import { exclusively } from './queue.ts';

export type AddKeyslotOptions = {
  /** A key that opens the volume now. */
  readonly existing: Secret;
  /** The new key. */
  readonly key: Secret;
  /** The keyslot to fill; the first free one by default. One that is in use is never replaced. */
  readonly slot?: number;
  readonly pbkdf?: Pbkdf;
  readonly signal?: AbortSignal;
};

export type RemoveKeyslotOptions = {
  readonly slot: number;
  readonly signal?: AbortSignal;
} & (
  | {
      /** Must open another keyslot: it is tried before anything is removed. */
      readonly remaining: Secret;
    }
  | {
      /** Removes without proof, even the last keyslot, after which nobody reads the volume any more. */
      readonly force: true;
    }
);

async function list(device: string, options: ReadOptions = {}): Promise<Keyslot[]> {
  return await exclusively(async () => {
    using handle = await loadHandle(device);
    return [...readFacts(handle).keyslots];
  }, options.signal);
}

async function add(device: string, options: AddKeyslotOptions): Promise<number> {
  const { existing, key, slot, signal } = options;
  checkAttempt(device, slot === undefined ? { key } : { key, slot });
  checkAttempt(device, { key: existing });
  const pbkdf = chooseCosts(device, options.pbkdf);
  return await exclusively(async () => {
    const { handle, facts } = await loadTrusted(device);
    await using _ = handle;
    if (facts.keyslots.some((used) => used.slot === slot)) {
      throw new LuksError('ERR_LUKS_BUSY', device, 'EEXIST', `${device}: keyslot ${slot} is in use`);
    }
    await handle.check('crypt_set_pbkdf_type', {}, pbkdf);
    return await handle.check(
      'crypt_keyslot_add_by_passphrase',
      { [constants.errno.EPERM]: 'ERR_LUKS_KEY_REJECTED' },
      slot ?? CRYPT_ANY_SLOT,
      existing.bytes,
      existing.sizeBytes,
      key.bytes,
      key.sizeBytes,
    );
  }, signal);
}

async function remove(device: string, options: RemoveKeyslotOptions): Promise<void> {
  const { slot, signal } = options;
  await exclusively(async () => {
    const { handle, facts } = await loadTrusted(device);
    await using _ = handle;
    if (!facts.keyslots.some((used) => used.slot === slot)) {
      throw new LuksError('ERR_LUKS_NOT_FOUND', device, 'ENOENT', `${device}: no keyslot ${slot}`);
    }
    if ('remaining' in options) {
      const others = facts.keyslots.filter((other) => other.bound && other.slot !== slot);
      if (others.length === 0) {
        throw new LuksError(
          'ERR_LUKS_LAST_KEYSLOT',
          device,
          '',
          `${device}: keyslot ${slot} is the last one`,
        );
      }
      let opens = false;
      for (const other of others) {
        signal?.throwIfAborted();
        opens = (await tryKey(handle, { key: options.remaining, slot: other.slot })) !== undefined;
        if (opens) break;
      }
      if (!opens) throw keyRejected(device);
      signal?.throwIfAborted();
    }
    await handle.check('crypt_keyslot_destroy', {}, slot);
  }, signal);
}

/**
 * Keyslots of a device or a file.
 *
 * `add` never replaces, `remove` first proves that `remaining` opens another keyslot: there is no moment with fewer
 * proved ways in than before.
 */
export const keyslots: {
  readonly list: typeof list;
  readonly add: typeof add;
  readonly remove: typeof remove;
} = { list, add, remove };

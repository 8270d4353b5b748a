import type { Secret } from '@nodecore/sys';

import { LuksError } from './errors.ts';
import type { Keyslot, KeyslotPriority } from './header-json.ts';
import { checkAttempt, keyRejected, requireKeyslot, tryKey } from './key.ts';
import { addKeyslot } from './keyslot-add.ts';
import { change, setPriorityOf } from './keyslot-change.ts';
import { loadTrusted, readHeader } from './load.ts';
import { chooseCosts, type Pbkdf } from './pbkdf.ts';
import { exclusively } from './queue.ts';
import type { ReadOptions } from './read-options.ts';

export type AddKeyslotOptions = {
  /** A key that opens the volume now. */
  readonly existing: Secret;
  /** The new key. */
  readonly key: Secret;
  /** The keyslot to fill; the first free one by default. One that is in use is never replaced. */
  readonly slot?: number;
  readonly pbkdf?: Pbkdf;
  /** Opens the new keyslot before it is reported, which costs one more key derivation; true by default. */
  readonly prove?: boolean;
  readonly signal?: AbortSignal;
};

export type KeyslotPriorityOptions = {
  readonly slot: number;
  readonly priority: KeyslotPriority;
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
  return await exclusively({ device, signal: options.signal }, async () => {
    const { facts } = await readHeader(device);
    return [...facts.keyslots];
  });
}

/** Fills a free keyslot. What can't be added is refused before anything is written. */
async function add(device: string, options: AddKeyslotOptions): Promise<number> {
  const { existing, key, slot, signal, prove = true } = options;
  checkAttempt(device, slot === undefined ? { key } : { key, slot });
  checkAttempt(device, { key: existing });
  const pbkdf = chooseCosts(device, options.pbkdf);
  return await exclusively({ device, signal }, async () => {
    const { handle, facts } = await loadTrusted(device);
    await using _ = handle;
    const wanted = { existing, key, pbkdf, prove };
    return await addKeyslot(handle, facts, slot === undefined ? wanted : { ...wanted, slot });
  });
}

/** Says in which order keyslots are tried when none is asked for; one to `ignore` is not tried then at all. */
async function setPriority(device: string, options: KeyslotPriorityOptions): Promise<void> {
  const { slot, priority, signal } = options;
  await exclusively({ device, signal }, async () => {
    const { handle, facts } = await loadTrusted(device);
    await using _ = handle;
    requireKeyslot(device, facts, slot);
    await setPriorityOf(handle, slot, priority);
  });
}

async function remove(device: string, options: RemoveKeyslotOptions): Promise<void> {
  const { slot, signal } = options;
  // Callers without types may have set neither, and force is no default.
  const { force = false }: { readonly force?: boolean } = 'remaining' in options ? {} : options;
  if (!('remaining' in options) && !force) {
    throw new TypeError('remove needs the key that remains, or force');
  }
  if ('remaining' in options) checkAttempt(device, { key: options.remaining, slot });
  await exclusively({ device, signal }, async () => {
    const { handle, facts } = await loadTrusted(device);
    await using _ = handle;
    requireKeyslot(device, facts, slot);
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
      let refused: LuksError | undefined = keyRejected(device);
      for (const other of others) {
        signal?.throwIfAborted();
        const result = await tryKey(handle, facts, { key: options.remaining, slot: other.slot });
        refused = result.keyslot === undefined ? (result.refused ?? refused) : undefined;
        if (refused === undefined) break;
      }
      if (refused !== undefined) throw refused;
      signal?.throwIfAborted();
    }
    await handle.check('crypt_keyslot_destroy', {}, slot);
  });
}

/**
 * Keyslots of a device or a file.
 *
 * `add` never replaces and proves that the new keyslot opens, `remove` first proves that `remaining` opens another
 * keyslot: there is no moment with fewer proved ways in than before.
 */
export const keyslots: {
  readonly list: typeof list;
  readonly add: typeof add;
  readonly change: typeof change;
  readonly setPriority: typeof setPriority;
  readonly remove: typeof remove;
} = { list, add, change, setPriority, remove };

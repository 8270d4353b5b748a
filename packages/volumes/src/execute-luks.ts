import type { Encryption, KeyEntry } from '@nodecore/config';
import type { PersistentFlag } from '@nodecore/luks';
import { codeOf, type Secret } from '@nodecore/sys';

import { permanenceOf, VolumeError } from './errors.ts';
import { mappingName } from './spec.ts';
import type { Permanence } from './status.ts';
import type { Work } from './work.ts';

export type Opened = { readonly slot: number; readonly failedSyncs: readonly string[] };

/**
 * Makes the LUKS2 header with every configured key. All keys are obtained before the first byte is written: a
 * header that nobody can open would be the result otherwise.
 */
export async function formatLocked(work: Work, devPath: string): Promise<void> {
  const { spec, effects, signal } = work;
  const encryption = encryptionOf(work);
  using keys = await obtainAll(work, encryption);
  const [first, ...others] = keys.list;
  if (first === undefined) throw new TypeError(`volume ${spec.id} has no keys`);
  await effects.formatLuks(devPath, {
    key: first.key,
    slot: first.slot,
    cipher: encryption.cipher,
    keySizeBits: encryption.keySizeBits,
    ...(encryption.blockSize === undefined ? {} : { sectorSize: encryption.blockSize }),
    label: spec.id,
    subsystem: 'nodecore',
    signal,
  });
  for (const { slot, key } of others) await effects.addKey(devPath, { existing: first.key, key, slot });
}

/**
 * What the document says about discards and work queues is kept in the header, so that the next opener, whoever it is,
 * uses the same; only once a key has proven that the volume is ours.
 */
async function storeFlags(work: Work, devPath: string, encryption: Encryption): Promise<readonly string[]> {
  try {
    await work.effects.keepFlags(devPath, flagsOf(encryption));
    return [];
  } catch (error) {
    return [`options: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function flagsOf({ allowDiscards, options }: Encryption): PersistentFlag[] {
  return allowDiscards ? ['allow_discards', ...options] : [...options];
}

/** Tries the configured keys in slot order; stores missing ones with the one that opened. */
export async function openLocked(work: Work, devPath: string): Promise<Opened> {
  const encryption = encryptionOf(work);
  const refusals: Refusal[] = [];
  for (const entry of encryption.keys) {
    let key: Secret;
    try {
      key = await work.effects.obtainKey(entry, work.spec.id);
    } catch (error) {
      refusals.push(refusal(entry, error));
      continue;
    }
    using owned = key;
    const slot = await tryKey(work, devPath, entry, owned, refusals);
    if (slot !== undefined) {
      const failedFlags = await storeFlags(work, devPath, encryption);
      return {
        slot,
        failedSyncs: [...failedFlags, ...(await storeMissing(work, devPath, { slot, key: owned }))],
      };
    }
  }
  throw noKeyOpens(work, devPath, refusals);
}

/**
 * Adds configured keys whose slot is free. Slots that are in use are left alone, whoever made them, and so is every
 * slot that is not configured. A key that can't be stored is reported; the volume works without it.
 */
export async function storeMissing(
  work: Work,
  devPath: string,
  opener: { readonly slot: number; readonly key: Secret },
): Promise<readonly string[]> {
  const used = new Set((await work.effects.keyslots(devPath)).map((keyslot) => keyslot.slot));
  const failures: string[] = [];
  for (const entry of encryptionOf(work).keys) {
    if (used.has(entry.slot)) continue;
    try {
      using key = await work.effects.obtainKey(entry, work.spec.id);
      await work.effects.addKey(devPath, { existing: opener.key, key, slot: entry.slot });
    } catch (error) {
      failures.push(refusal(entry, error).text);
    }
  }
  return failures;
}

type Refusal = { readonly text: string; readonly permanence: Permanence };

async function tryKey(
  work: Work,
  devPath: string,
  { slot, kind }: KeyEntry,
  key: Secret,
  refusals: Refusal[],
): Promise<number | undefined> {
  const { allowDiscards, options } = encryptionOf(work);
  try {
    return await work.effects.openLuks(devPath, {
      name: mappingName(work.spec.id),
      keys: [{ key, slot }],
      allowDiscards,
      performance: [...options],
      signal: work.signal,
    });
  } catch (error) {
    if (codeOf(error) !== 'ERR_LUKS_KEY_REJECTED') throw error;
    refusals.push({ text: `slot ${slot} (${kind}): rejected`, permanence: 'needs-operator' });
    return undefined;
  }
}

function refusal({ slot, kind }: KeyEntry, error: unknown): Refusal {
  const why = error instanceof Error ? error.message : String(error);
  return { text: `slot ${slot} (${kind}): ${why}`, permanence: permanenceOf(error) };
}

function noKeyOpens(work: Work, devPath: string, refusals: readonly Refusal[]): VolumeError {
  const reasons = refusals.map((one) => one.text);
  // One key that may come back is reason enough to try again.
  const permanence = refusals.some((one) => one.permanence === 'transient') ? 'transient' : 'needs-operator';
  const message = `no configured key opens ${devPath}: ${reasons.join('; ')}`;
  return new VolumeError('ERR_VOLUME_KEYS', work.spec.id, message, permanence, { reasons });
}

type OwnedKeys = Disposable & { readonly list: readonly { readonly slot: number; readonly key: Secret }[] };

async function obtainAll(work: Work, encryption: Encryption): Promise<OwnedKeys> {
  const stack = new DisposableStack();
  const list: { slot: number; key: Secret }[] = [];
  try {
    for (const entry of encryption.keys) {
      const key = stack.use(await work.effects.obtainKey(entry, work.spec.id));
      list.push({ slot: entry.slot, key });
    }
  } catch (error) {
    stack.dispose();
    throw error;
  }
  return { list, [Symbol.dispose]: () => stack.dispose() };
}

function encryptionOf({ spec }: Work): Encryption {
  if (spec.encryption === undefined) throw new TypeError(`volume ${spec.id} is not encrypted`);
  return spec.encryption;
}

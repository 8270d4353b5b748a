import type { Encryption } from '@nodecore/config';
import { type KeyFailure, KeysError, unlock, type KeyAttempt, type Unlocked } from '@nodecore/keys';
import { codeOf } from '@nodecore/sys';

import { makeKeys } from '../keys/new-keys.ts';
import { noKey } from '../keys/no-key.ts';
import { mappingName } from '../spec.ts';
import type { Work } from '../work.ts';

/**
 * Makes the LUKS2 header with every configured key that can be made now. All of them are made before the first byte is
 * written: a header that no key opens would be the result otherwise.
 *
 * @returns the keys that could not be made, and why.
 * @throws {VolumeError} `ERR_VOLUME_KEYS` or `ERR_VOLUME_KEYS_AWAITED` when there is none at all.
 */
export async function formatLocked(
  work: Work,
  devPath: string,
  uuid: string,
): Promise<readonly KeyFailure[]> {
  const { spec, effects, signal } = work;
  const encryption = encryptionOf(work);
  using keys = await makeKeys(encryption.keys, await effects.keyContext(spec.id), { signal });
  const [first, ...others] = keys.made;
  if (first === undefined) throw noKey(spec.id, `no key of ${devPath} can be made`, keys.failures);
  await effects.formatLuks(devPath, {
    key: first.key.key,
    isRandom: first.key.isRandom,
    slot: first.slot,
    cipher: encryption.cipher,
    keySizeBits: encryption.keySizeBits,
    ...(encryption.blockSize === undefined ? {} : { sectorSize: encryption.blockSize }),
    label: spec.id,
    uuid,
    subsystem: 'nodecore',
    signal,
  });
  const store = effects.keyslots(devPath);
  for (const { slot, key } of others) {
    const { isRandom } = key;
    await store.add({ slot, key: key.key, existing: first.key.key, isRandom, signal });
  }
  for (const { slot, key } of keys.made) {
    if (key.token === undefined) continue;
    await store.setToken({ token: { ...key.token, keyslots: [`${slot}`] }, signal });
  }
  return keys.failures;
}

/**
 * Opens with the first configured key that works, then with one of the configuration before. Keys are fetched while
 * nothing is locked, and the header must be what the configuration says before a key is tried on it.
 *
 * @throws {VolumeError} `ERR_VOLUME_KEYS` or `ERR_VOLUME_KEYS_AWAITED` with the reason of each key.
 */
export async function openLocked(work: Work, devPath: string): Promise<Unlocked> {
  const { spec, effects, signal, keysTried } = work;
  const { keys } = encryptionOf(work);
  const context = await effects.keyContext(spec.id);
  try {
    const opened = await unlock(effects.keyslots(devPath), keys, context, {
      previous: spec.previousKeys ?? [],
      open: (attempt) => tryKey(work, devPath, attempt),
      signal,
    });
    keysTried?.(spec.id, { opener: opened.spec.kind, failures: opened.failures });
    return opened;
  } catch (error) {
    if (!(error instanceof KeysError) || error.code !== 'ERR_KEYS_NONE') throw error;
    keysTried?.(spec.id, { opener: undefined, failures: error.failures });
    throw noKey(spec.id, `no key opens ${devPath}`, error.failures);
  }
}

async function tryKey(work: Work, devPath: string, { slot, key }: KeyAttempt): Promise<boolean> {
  const { allowDiscards, options, cipher, keySizeBits, blockSize } = encryptionOf(work);
  try {
    await work.effects.openLuks(devPath, {
      name: mappingName(work.spec.id),
      keys: [{ key, slot }],
      expect: { cipher, keySizeBits, ...(blockSize === undefined ? {} : { sectorSize: blockSize }) },
      allowDiscards,
      performance: [...options],
      signal: work.signal,
    });
    return true;
  } catch (error) {
    if (codeOf(error) === 'ERR_LUKS_KEY_REJECTED') return false;
    throw error;
  }
}

function encryptionOf({ spec }: Work): Encryption {
  if (spec.encryption === undefined) throw new TypeError(`volume ${spec.id} is not encrypted`);
  return spec.encryption;
}

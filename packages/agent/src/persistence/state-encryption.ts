import type { Encryption, KeyEntry } from '@nodecore/config';

import { StateError } from './errors.ts';

/**
 * How STATE is encrypted, as META keeps it: needed to open STATE at the next boot, before the configuration can be
 * read. It says where keys come from. A key that is a secret itself can't be in it, so STATE takes none.
 */
export type StateKeys = {
  /** Undefined: STATE is in clear. */
  readonly encryption: Encryption | undefined;
  /** Keys that may be in keyslots too: a change of them is under way, or on trial. */
  readonly previousKeys: readonly KeyEntry[];
  /** Authorities, in PEM, that vouch for the key servers and are not among the public ones. */
  readonly roots: readonly string[];
};

export const noStateKeys: StateKeys = { encryption: undefined, previousKeys: [], roots: [] };

export function encodeStateKeys({ encryption, previousKeys, roots }: StateKeys): Buffer {
  if (encryption === undefined) return Buffer.from('null');
  const { provider, keys, cipher, keySizeBits, blockSize, options, allowDiscards } = encryption;
  return Buffer.from(
    JSON.stringify({
      provider,
      keys: keys.map(source),
      cipher,
      keySizeBits,
      blockSize,
      options,
      allowDiscards,
      ...(previousKeys.length > 0 && { previousKeys: previousKeys.map(source) }),
      ...(roots.length > 0 && { roots }),
    }),
  );
}

/** @param bytes undefined: nothing was stored, and STATE is not encrypted. */
export function decodeStateKeys(bytes: Uint8Array | undefined): StateKeys {
  if (bytes === undefined) return noStateKeys;
  let stored: (Encryption & Partial<Pick<StateKeys, 'previousKeys' | 'roots'>>) | null;
  try {
    stored = JSON.parse(Buffer.from(bytes).toString('utf8')) as typeof stored;
  } catch (cause) {
    throw new StateError('ERR_STATE_DAMAGED', 'META: the encryption of STATE is not JSON', { cause });
  }
  if (stored === null) return noStateKeys;
  const { previousKeys = [], roots = [], ...encryption } = stored;
  const keys = encryption.keys.map(entry);
  return { encryption: { ...encryption, keys }, previousKeys: previousKeys.map(entry), roots };
}

/** Where a key comes from, without the key. */
function source(key: KeyEntry): object {
  if (key.kind !== 'static') return key;
  const { slot, kind, lockToState } = key;
  return { slot, kind, lockToState };
}

/** Of a record from before keys could be locked to STATE, too. */
function entry(stored: KeyEntry): KeyEntry {
  if (stored.kind !== 'static') return { ...stored, lockToState: false };
  const message = `META: slot ${stored.slot} of STATE has a key of kind static, which can't be kept there`;
  throw new StateError('ERR_STATE_DAMAGED', message);
}

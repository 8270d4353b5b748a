import type { Encryption, KeyEntry } from '@nodecore/config';
import { decodeText, Secret } from '@nodecore/sys';

import { PersistenceError } from './errors.ts';

/**
 * How STATE is encrypted, as META keeps it: needed to open STATE at the next boot, before the configuration can be
 * read. It says where keys come from. A key that is a secret itself is in it only where the author of the configuration has
 * consented to that; behind the text, as bytes.
 */
export type StateKeys = {
  /** Undefined: STATE is in clear. */
  readonly encryption: Encryption | undefined;
  /** Keys that may be in keyslots too: a change of them is under way, or on trial. */
  readonly previousKeys: readonly KeyEntry[];
  /** Authorities, in PEM, that vouch for the key servers and are not among the public ones. */
  readonly roots: readonly string[];
};

/** A newline, which JSON.stringify leaves out of the text. */
const endOfText = 0x0a;

/** STATE in clear, which is also what a META without the record means. */
export const noStateKeys: StateKeys = { encryption: undefined, previousKeys: [], roots: [] };

/**
 * The value of META's tag: JSON, `null` while STATE is in clear. Behind a newline follow the static passphrases that the
 * configuration lets META keep, in the order of the keys; the buffer holds them in clear.
 */
export function encodeStateKeys({ encryption, previousKeys, roots }: StateKeys): Buffer {
  if (encryption === undefined) return Buffer.from('null');
  const { provider, keys, cipher, keySizeBits, blockSize, options, allowDiscards } = encryption;
  const text = Buffer.from(
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
  const secrets = [...keys, ...previousKeys].flatMap((key) =>
    key.kind === 'static' && key.inClear === true ? [key.passphrase.bytes] : [],
  );
  return secrets.length === 0 ? text : Buffer.concat([text, Buffer.of(endOfText), ...secrets]);
}

/** @param bytes undefined: nothing was stored, and STATE is not encrypted. */
export function decodeStateKeys(bytes: Uint8Array | undefined): StateKeys {
  if (bytes === undefined) return noStateKeys;
  let stored: (Encryption & Partial<Pick<StateKeys, 'previousKeys' | 'roots'>>) | null;
  const end = bytes.indexOf(endOfText);
  const text = end < 0 ? bytes : bytes.subarray(0, end);
  try {
    stored = JSON.parse(decodeText(text)) as typeof stored;
  } catch (cause) {
    throw new PersistenceError('ERR_STATE_DAMAGED', 'META: the encryption of STATE is not JSON', { cause });
  }
  if (stored === null) return noStateKeys;
  const { previousKeys = [], roots = [], ...encryption } = stored;
  let rest = end < 0 ? new Uint8Array() : bytes.subarray(end + 1);
  const take = (length: number): Secret => {
    if (length < 1 || length > rest.length)
      throw new PersistenceError('ERR_STATE_DAMAGED', 'META: a passphrase of STATE is cut off');
    const secret = Secret.copy(rest.subarray(0, length));
    rest = rest.subarray(length);
    return secret;
  };
  const keys = encryption.keys.map((key) => entry(key, take));
  return {
    encryption: { ...encryption, keys },
    previousKeys: previousKeys.map((key) => entry(key, take)),
    roots,
  };
}

/** Where a key comes from, without the key. */
function source(key: KeyEntry): object {
  if (key.kind !== 'static') return key;
  const { slot, kind, lockToState } = key;
  return { slot, kind, lockToState, ...(key.inClear === true && { bytes: key.passphrase.sizeBytes }) };
}

type Stored = KeyEntry & { readonly bytes?: number };

/** Of a record from before keys could be locked to STATE, too. */
function entry({ bytes, ...stored }: Stored, take: (length: number) => Secret): KeyEntry {
  if (stored.kind !== 'static') return { ...stored, lockToState: false };
  if (bytes !== undefined) return { ...stored, lockToState: false, passphrase: take(bytes), inClear: true };
  const message = `META: slot ${stored.slot} of STATE has a key of kind static, which can't be kept there`;
  throw new PersistenceError('ERR_STATE_DAMAGED', message);
}

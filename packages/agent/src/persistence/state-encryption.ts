import type { Encryption, KeyEntry } from '@nodecore/config';

import { StateError } from './errors.ts';

/**
 * How STATE is encrypted, as META keeps it: needed to open STATE at the next boot, before the configuration can be
 * read. It names the kinds and slots of keys. A key that is a secret itself can't be in it, so STATE takes none.
 */
export function encodeStateEncryption(encryption: Encryption | undefined): Buffer {
  if (encryption === undefined) return Buffer.from('null');
  const { provider, keys, cipher, keySizeBits, blockSize, options, allowDiscards } = encryption;
  const kinds = keys.map(({ slot, kind, lockToState }) => ({ slot, kind, lockToState }));
  return Buffer.from(
    JSON.stringify({ provider, keys: kinds, cipher, keySizeBits, blockSize, options, allowDiscards }),
  );
}

/** @param bytes undefined: nothing was stored, and STATE is not encrypted. */
export function decodeStateEncryption(bytes: Uint8Array | undefined): Encryption | undefined {
  if (bytes === undefined) return undefined;
  let stored: Encryption | null;
  try {
    stored = JSON.parse(Buffer.from(bytes).toString('utf8')) as Encryption | null;
  } catch (cause) {
    throw new StateError('ERR_STATE_DAMAGED', 'META: the encryption of STATE is not JSON', { cause });
  }
  if (stored === null) return undefined;
  const unusable = stored.keys.find((key) => !isKept(key));
  if (unusable === undefined) return stored;
  const message = `META: slot ${unusable.slot} of STATE has a key of kind ${unusable.kind}, which can't be kept there`;
  throw new StateError('ERR_STATE_DAMAGED', message);
}

function isKept(key: KeyEntry): boolean {
  return key.kind === 'nodeID';
}

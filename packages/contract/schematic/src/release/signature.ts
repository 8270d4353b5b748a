import { type KeyObject, sign, verify } from 'node:crypto';

import { ReleaseError } from './errors.ts';
import { releaseFileName } from './release.ts';

/**
 * The Ed25519 signature of the bytes of `release.json`: 64 bytes.
 *
 * @throws {ReleaseError} with `ERR_RELEASE_KEY` when the key is of another kind.
 */
export function signRelease(bytes: Uint8Array, privateKey: KeyObject): Buffer {
  if (privateKey.type !== 'private' || privateKey.asymmetricKeyType !== 'ed25519')
    throw new ReleaseError(
      'ERR_RELEASE_KEY',
      releaseFileName,
      undefined,
      'is signed by a private Ed25519 key',
    );
  return sign(null, bytes, privateKey);
}

/**
 * Proves that one of the keys has signed the bytes. Several keys are for a rotation: the new one beside the old one.
 *
 * @param file names the signed file in errors.
 * @throws {ReleaseError} with `ERR_RELEASE_SIGNATURE`, or with `ERR_RELEASE_KEY` when a key is of another kind.
 */
export function verifyRelease(
  bytes: Uint8Array,
  signature: Uint8Array,
  publicKeys: readonly KeyObject[],
  file: string = releaseFileName,
): void {
  for (const key of publicKeys) {
    if (key.asymmetricKeyType !== 'ed25519')
      throw new ReleaseError('ERR_RELEASE_KEY', file, undefined, 'is checked by an Ed25519 key');
    if (signature.length === 64 && verify(null, bytes, key, signature)) return;
  }
  throw new ReleaseError('ERR_RELEASE_SIGNATURE', file, undefined, 'none of the given keys has signed it');
}

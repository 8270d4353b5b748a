import type { KeyObject } from 'node:crypto';

import { parseRelease, type Release, verifyRelease } from '@nodecore/schematic/release';

/** `release.json` and its signature, as they were found. */
export type ReleaseDocuments = { readonly bytes: Buffer; readonly signature: Buffer };

/** A release of which the signature was found right: its digests say what each of its files must be. */
export type SignedRelease = ReleaseDocuments & { readonly release: Release };

/**
 * Proves that one of the keys has signed a release, before anything of it is believed.
 *
 * @throws {ReleaseError} with `ERR_RELEASE_SIGNATURE` or what is wrong with the file.
 */
export function provenRelease(documents: ReleaseDocuments, keys: readonly KeyObject[]): SignedRelease {
  const { bytes, signature } = documents;
  verifyRelease(bytes, signature, keys);
  return { bytes, signature, release: parseRelease(bytes.toString()) };
}

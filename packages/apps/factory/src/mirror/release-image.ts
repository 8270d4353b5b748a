import {
  type Descriptor,
  type Digest,
  digestOf,
  formatManifest,
  type ManifestOrIndex,
  mediaTypes,
} from '@nodecore/oci';
import { type ReleaseFile, releaseFileName, signatureFileName } from '@nodecore/schematic/release';

import { FactoryError } from '../errors.ts';
import type { ReleaseDocuments, SignedRelease } from './signed-release.ts';

/** Media types of what a release is made of, in a registry. */
export const releaseTypes = {
  document: 'application/vnd.nodecore.release.v1+json',
  signature: 'application/vnd.nodecore.release.signature.v1',
  file: 'application/vnd.nodecore.release.file.v1',
} as const;

/** By which tools that know artifacts write a layer into a file. */
const titleAnnotation = 'org.opencontainers.image.title';

/** A release as registries have it. */
export type ReleaseImage = {
  readonly bytes: Buffer;
  readonly digest: Digest;
  readonly mediaType: string;
};

/**
 * The manifest of a release: `release.json` is its configuration, the signature and each file are layers under their names. The same
 * release has the same manifest everywhere, and a file has the digest that was signed.
 */
export function releaseImage(signed: SignedRelease): ReleaseImage {
  const { document, signature } = documentBlobs(signed);
  const { version, created, files } = signed.release;
  const names = Object.keys(files).sort((a, b) => (a < b ? -1 : 1));
  const bytes = formatManifest({
    mediaType: mediaTypes.manifest,
    config: document,
    layers: [
      titled(signature, signatureFileName),
      ...names.map((name) =>
        titled(
          { mediaType: releaseTypes.file, ...fileDescriptor(files[name] ?? { size: 0, sha256: '' }) },
          name,
        ),
      ),
    ],
    annotations: {
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.created': created,
    },
  });
  return { bytes, digest: digestOf(bytes), mediaType: mediaTypes.manifest };
}

/** A file of a release as a blob. */
export function fileDescriptor({ size, sha256 }: ReleaseFile): Pick<Descriptor, 'digest' | 'size'> {
  return { digest: `sha256:${sha256}`, size };
}

/** `release.json` and its signature as blobs. */
export function documentBlobs({ bytes, signature }: ReleaseDocuments): {
  readonly document: Descriptor;
  readonly signature: Descriptor;
} {
  return {
    document: descriptorOf(releaseTypes.document, bytes),
    signature: descriptorOf(releaseTypes.signature, signature),
  };
}

/**
 * Where `release.json` and its signature are, by a manifest; of all others the signed digests say it.
 *
 * @throws {FactoryError} with `ERR_FACTORY_RELEASE` for an image of something else.
 */
export function documentsOf(
  found: ManifestOrIndex,
  name: string,
): { readonly document: Descriptor; readonly signature: Descriptor } {
  if (found.kind === 'manifest' && found.manifest.config.mediaType === releaseTypes.document) {
    const { config: document, layers } = found.manifest;
    const signature = layers.find(({ mediaType }) => mediaType === releaseTypes.signature);
    if (signature !== undefined) return { document, signature };
  }
  throw new FactoryError(
    'ERR_FACTORY_RELEASE',
    `${name}: it is no release: its manifest names no ${releaseFileName} with a signature`,
  );
}

function descriptorOf(mediaType: string, bytes: Buffer): Descriptor {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

function titled(descriptor: Omit<Descriptor, 'annotations'>, name: string): Descriptor {
  return { ...descriptor, annotations: { [titleAnnotation]: name } };
}

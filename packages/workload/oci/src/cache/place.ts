import { join } from 'node:path';

import { type Digest, isDigest } from '../digest.ts';
import type { Reference } from '../reference.ts';

/** Where an image is in a cache: a directory that nodes read, with blobs by digest and manifests by tag and by digest. */
export type CachedName = Pick<Reference, 'registry' | 'repository'>;

/** The one name of a registry that has two. */
export function registryName(registry: string): string {
  return registry === 'index.docker.io' ? 'docker.io' : registry;
}

export function blobsPath(cache: string): string {
  return join(cache, 'blob');
}

export function blobPath(cache: string, digest: Digest): string {
  return join(blobsPath(cache), plain(digest));
}

/** The directory of a registry's manifests; a colon can't be in a name of vfat. */
export function registryPath(cache: string, registry: string): string {
  return join(cache, 'manifests', registryName(registry).replace(/:(\d+)$/u, '_$1_'));
}

/** A manifest by its tag or its digest. */
export function manifestPath(cache: string, { registry, repository }: CachedName, reference: string): string {
  return join(
    registryPath(cache, registry),
    repository,
    ...(isDigest(reference) ? ['digest', plain(reference)] : ['reference', reference]),
  );
}

function plain(digest: Digest): string {
  return digest.replace(':', '-');
}

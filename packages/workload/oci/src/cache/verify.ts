import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { codeOf } from '@nodecore/sys';

import { type Digest, digestOf, isDigest } from '../digest.ts';
import { OciError } from '../errors.ts';
import { parseManifest } from '../manifest.ts';
import { blobPath, blobsPath } from './place.ts';
import { hashOf } from './source.ts';

/** Something in a cache that is not as it must be. */
export type CacheFinding = {
  /** Its path in the cache. */
  readonly path: string;
  readonly problem: string;
};

/**
 * Looks at all of a cache: whether its bytes are those that their names say, and whether what manifests name is there. Nothing is
 * changed. An index may name images of other platforms that are not there.
 */
export async function* cacheFindings(cache: string, signal?: AbortSignal): AsyncGenerator<CacheFinding> {
  const blobs = new Set(await readdir(blobsPath(cache)).catch(none));
  for (const name of [...blobs].toSorted()) {
    signal?.throwIfAborted();
    const path = join(blobsPath(cache), name);
    const digest = name.replace('-', ':');
    if (name.endsWith('.part'))
      yield { path: relative(cache, path), problem: 'it was not fetched to its end' };
    else if (!isDigest(digest)) yield { path: relative(cache, path), problem: 'it is no blob' };
    else if ((await hashOf(path, digest)) !== digest)
      yield { path: relative(cache, path), problem: 'it has other bytes' };
  }
  const manifests = join(cache, 'manifests');
  const files = await readdir(manifests, { recursive: true, withFileTypes: true }).catch(none);
  for (const file of files.filter((each) => each.isFile())) {
    signal?.throwIfAborted();
    const path = join(file.parentPath, file.name);
    for (const problem of problemsOf(await readFile(path), file.name, file.parentPath, (digest) =>
      blobs.has(relative(blobsPath(cache), blobPath(cache, digest))),
    ))
      yield { path: relative(cache, path), problem };
  }
}

function* problemsOf(
  bytes: Buffer,
  name: string,
  directory: string,
  hasBlob: (digest: Digest) => boolean,
): Generator<string> {
  if (name.endsWith('.part')) {
    yield 'it was not written to its end';
    return;
  }
  if (directory.endsWith('/digest') && digestOf(bytes) !== name.replace('-', ':')) {
    yield 'it has other bytes';
    return;
  }
  try {
    const parsed = parseManifest(bytes);
    if (parsed.kind === 'index') return;
    for (const { digest } of [parsed.manifest.config, ...parsed.manifest.layers])
      if (!hasBlob(digest)) yield `its blob ${digest} is not there`;
  } catch (error) {
    if (!(error instanceof OciError)) throw error;
    yield error.message;
  }
}

function none(error: unknown): never[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}

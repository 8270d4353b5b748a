import { constants } from 'node:fs';
import { copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { codeOf, writeFileAtomic } from '@nodecore/sys';

import { downloadBlob } from '../client/download.ts';
import type { RegistryClient } from '../client/registry-client.ts';
import type { Digest } from '../digest.ts';
import { OciError } from '../errors.ts';
import { type Descriptor, type Manifest, parseManifest, type Platform, platformOf } from '../manifest.ts';
import { formatReference, type Reference } from '../reference.ts';
import { blobPath, blobsPath, manifestPath } from './place.ts';
import { hashOf } from './source.ts';

export type FillOptions = {
  readonly client: Pick<RegistryClient, 'manifest' | 'blobFrom'>;
  /** The directory of the cache. */
  readonly cache: string;
  /** Of an image that is there for several; `all`: whatever there is. */
  readonly platforms: readonly Platform[] | 'all';
  /** A directory of blobs by digest that several caches share; what is there is not fetched. */
  readonly blobs?: string | undefined;
  /** Whether signatures and other artifacts that stand beside the image under tags of its digest are fetched, too. */
  readonly signatures: boolean;
  readonly signal?: AbortSignal;
};

/** What a call has put into a cache. */
export type Filled = {
  readonly digest: Digest;
  /** Of all its blobs. */
  readonly sizeBytes: bigint;
  /** Of those that were not there. */
  readonly fetchedBytes: bigint;
};

type Document = { readonly bytes: Buffer; readonly digest: Digest };

/**
 * Fetches an image into a cache. A manifest is written when all that it names is there, and each is asked for once, so a tag that
 * moves meanwhile mixes nothing. What an earlier call has fetched, wholly or in part, stays; what was damaged since is fetched again.
 *
 * @throws {OciError} as the client; `ERR_OCI_NOT_FOUND` for a platform that the image is not there for.
 */
export async function fillCache(reference: Reference, options: FillOptions): Promise<Filled> {
  const { client, signal } = options;
  const { repository, tag, digest } = reference;
  const top = await client.manifest(repository, digest ?? tag ?? 'latest', signal);
  const counts = { size: 0n, fetched: 0n };
  const digests = await storeDocument(top, reference, options, counts);
  if (options.signatures) for (const each of digests) await storeBeside(each, reference, options, counts);
  if (tag !== undefined && digest === undefined) await writeManifest(top.bytes, tag, reference, options);
  return { digest: top.digest, sizeBytes: counts.size, fetchedBytes: counts.fetched };
}

type Counts = { size: bigint; fetched: bigint };

/** Stores what a manifest or index names, and then itself. @returns its digest and those of the images in it. */
async function storeDocument(
  { bytes, digest }: Document,
  reference: Reference,
  options: FillOptions,
  counts: Counts,
  isTop = true,
): Promise<readonly Digest[]> {
  const { client, platforms, signal } = options;
  const parsed = parseManifest(bytes);
  const digests = [digest];
  if (parsed.kind === 'manifest') await storeBlobs(parsed.manifest, reference, options, counts);
  else {
    if (!isTop) throw new OciError('ERR_OCI_MANIFEST', `${formatReference(reference)}: an index in an index`);
    const chosen =
      platforms === 'all'
        ? parsed.index.manifests
        : platforms.map((platform) => platformOf(parsed.index, platform));
    for (const each of new Set(chosen.map((descriptor) => descriptor.digest))) {
      const image = await client.manifest(reference.repository, each, signal);
      digests.push(...(await storeDocument(image, reference, options, counts, false)));
    }
  }
  await writeManifest(bytes, digest, reference, options);
  return digests;
}

/** Signatures stand under tags made of the digest that they sign; an image has none, or some. */
async function storeBeside(
  digest: Digest,
  reference: Reference,
  options: FillOptions,
  counts: Counts,
): Promise<void> {
  const { client, signal } = options;
  const base = digest.replace(':', '-');
  for (const tag of [`${base}.sig`, `${base}.att`, `${base}.sbom`, base]) {
    const found = await client.manifest(reference.repository, tag, signal).catch((error: unknown) => {
      if (error instanceof OciError && error.code === 'ERR_OCI_NOT_FOUND') return undefined;
      throw error;
    });
    if (found === undefined) continue;
    await storeDocument(found, reference, { ...options, platforms: 'all' }, counts);
    await writeManifest(found.bytes, tag, reference, options);
  }
}

async function storeBlobs(
  { config, layers }: Manifest,
  { repository }: Reference,
  options: FillOptions,
  counts: Counts,
): Promise<void> {
  const blobs = new Map([config, ...layers].map((each) => [each.digest, each]));
  await mkdir(blobsPath(options.cache), { recursive: true });
  for (const descriptor of blobs.values()) {
    counts.size += BigInt(descriptor.size);
    if (await storeBlob(descriptor, repository, options)) counts.fetched += BigInt(descriptor.size);
  }
}

/** @returns whether it was fetched. */
async function storeBlob(
  descriptor: Descriptor,
  repository: string,
  { client, cache, blobs, signal }: FillOptions,
): Promise<boolean> {
  const { digest } = descriptor;
  const path = blobPath(cache, digest);
  if (await hasBytes(path, descriptor)) return false;
  const shared = blobs === undefined ? undefined : join(blobs, digest.replace(':', '-'));
  if (shared !== undefined && (await hasBytes(shared, descriptor))) {
    await sameBytes(shared, path);
    return false;
  }
  await downloadBlob(client as RegistryClient, repository, descriptor, path, signal);
  if (shared !== undefined) {
    await mkdir(dirname(shared), { recursive: true });
    await sameBytes(path, shared);
  }
  return true;
}

/** One file under two names where they are on one disk, else a copy of it. */
async function sameBytes(from: string, to: string): Promise<void> {
  const part = `${to}.part`;
  await rm(part, { force: true });
  try {
    await link(from, part);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'EOPNOTSUPP'].includes(codeOf(error) ?? '')) throw error;
    await copyFile(from, part, constants.COPYFILE_EXCL);
  }
  await rename(part, to);
}

/** A disk that went off or failed may have left other bytes, as many as there were. */
async function hasBytes(path: string, { digest, size }: Descriptor): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  return there?.isFile() === true && there.size === size && (await hashOf(path, digest)) === digest;
}

async function writeManifest(
  bytes: Buffer,
  name: string,
  reference: Reference,
  { cache }: FillOptions,
): Promise<void> {
  const path = manifestPath(cache, reference, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, bytes, { mode: 0o644 });
}

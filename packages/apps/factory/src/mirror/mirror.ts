import type { KeyObject } from 'node:crypto';

import { type Credentials, type Digest, DigestCheck, OciLayout, RegistryClient } from '@nodecore/oci';
import { isVersion, type Release } from '@nodecore/schematic/release';
import { codeOf } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';
import { isFull } from '../full.ts';
import { directoryTarget } from './directory-target.ts';
import { layoutTarget, registryTarget } from './image-targets.ts';
import { formatPlace, type Place } from './place.ts';
import { fileDescriptor, releaseImage } from './release-image.ts';
import { provenRelease, type SignedRelease } from './signed-release.ts';
import { directorySource, imageSource, type ReleaseSource } from './source.ts';
import { filesOf, type ReleaseTarget } from './target.ts';

export type ReadOptions = {
  /** Public keys, one of which has signed the release. */
  readonly keys: readonly KeyObject[];
  /** Who the user is at a registry. */
  readonly credentialsOf?: (registry: string) => Credentials | undefined;
  /** Registries are asked in plain text, wherever they are. */
  readonly plain?: boolean;
  readonly signal?: AbortSignal;
};

export type MirrorOptions = ReadOptions & {
  /** Told after each file; `isCopied` is false for what was there already. */
  readonly onFile?: (path: string, sizeBytes: number, isCopied: boolean) => void;
};

/** A release that was looked at, or copied. */
export type MirroredRelease = {
  readonly release: Release;
  /** Of its manifest: the same in every registry and layout. */
  readonly digest: Digest;
  readonly sizeBytes: bigint;
  /** Of those that were not there before. */
  readonly copiedBytes: bigint;
};

/**
 * Copies a release: its signature is proven before anything is written, each file has the digest that was signed, and it has its name at
 * the other place when all of it is there. A call that was interrupted is gone on with by the next one.
 *
 * @param to a directory of releases, a layout or a repository; its version, if it has one, is that of the release.
 * @throws {FactoryError} `ERR_FACTORY_RELEASE`, `ERR_FACTORY_RELEASE_OTHER`, `ERR_FACTORY_MIRROR_BUSY`, `ERR_FACTORY_STORE_FULL`;
 *   {@link ReleaseError} `ERR_RELEASE_SIGNATURE`; {@link OciError} of registries, and `ERR_OCI_DIGEST`.
 */
export async function mirrorRelease(
  from: Place,
  to: Place,
  options: MirrorOptions,
): Promise<MirroredRelease> {
  return await copied(from, formatPlace(to), options, (signed) => {
    const { version } = signed.release;
    if (to.kind !== 'directory' && to.version !== undefined && to.version !== version)
      throw new FactoryError('ERR_FACTORY_PLACE', `${formatPlace(to)}: the release is ${version}`);
    return targetOf(to, options);
  });
}

/**
 * Reads all of a release and proves it.
 *
 * @throws as {@link mirrorRelease}.
 */
export async function verifyRelease(from: Place, options: MirrorOptions): Promise<MirroredRelease> {
  return await copied(from, formatPlace(from), options, () => ({
    store: async ({ signed, read, onFile }) => {
      for (const [path, file] of filesOf(signed)) {
        const { digest, size } = fileDescriptor(file);
        const check = new DigestCheck(digest, size);
        for await (const chunk of read(path, file, 0)) check.update(chunk);
        check.end();
        onFile(path, file, false);
      }
    },
  }));
}

/**
 * What was signed of a release; its files are not read.
 *
 * @throws as {@link mirrorRelease}.
 */
export async function showRelease(
  from: Place,
  options: ReadOptions,
): Promise<Pick<MirroredRelease, 'release' | 'digest'>> {
  const { signed } = await opened(from, options);
  return { release: signed.release, digest: releaseImage(signed).digest };
}

async function opened(
  from: Place,
  { keys, signal, ...access }: ReadOptions,
): Promise<{ readonly source: ReleaseSource; readonly signed: SignedRelease }> {
  const { source, version } = await sourceOf(from, access);
  const signed = provenRelease(await source.documents(signal), keys);
  const said = signed.release.version;
  // Who may move a tag could put an old release, which was signed, too, under a new version.
  if (version !== undefined && said !== version)
    throw new FactoryError('ERR_FACTORY_RELEASE', `${formatPlace(from)}: it says that it is ${said}`);
  return { source, signed };
}

async function copied(
  from: Place,
  where: string,
  { onFile, ...options }: MirrorOptions,
  targetFor: (signed: SignedRelease) => ReleaseTarget,
): Promise<MirroredRelease> {
  const { signal } = options;
  const { source, signed } = await opened(from, options);
  const { release } = signed;
  let [sizeBytes, copiedBytes] = [0n, 0n];
  let current = release.version;
  try {
    await targetFor(signed).store({
      signed,
      read: (path, file, start) => {
        current = path;
        return source.read(path, file, start, signal);
      },
      onFile: (path, { size }, isCopied) => {
        sizeBytes += BigInt(size);
        if (isCopied) copiedBytes += BigInt(size);
        onFile?.(path, size, isCopied);
      },
      signal,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw systemError(error, where, current);
  }
  return { release, digest: releaseImage(signed).digest, sizeBytes, copiedBytes };
}

/** What the system says, with the place and the file that it says it of. */
function systemError(error: unknown, where: string, file: string): unknown {
  const code = codeOf(error);
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  if (isFull(error))
    return new FactoryError('ERR_FACTORY_STORE_FULL', `${where}: no room for ${file}`, { cause: error });
  return new FactoryError('ERR_FACTORY_STORE', `${where}: ${file}: ${code}`, { cause: error });
}

type Access = Pick<ReadOptions, 'credentialsOf' | 'plain'>;

async function sourceOf(
  place: Place,
  access: Access,
): Promise<{ readonly source: ReleaseSource; readonly version: string | undefined }> {
  if (place.kind === 'directory') return { source: directorySource(place.path), version: undefined };
  if (place.kind === 'registry') {
    const { repository, version } = place;
    if (version === undefined)
      throw new FactoryError('ERR_FACTORY_PLACE', `${formatPlace(place)}: name the version behind it`);
    return { source: imageSource(clientOf(place, access), repository, version), version };
  }
  const layout = await OciLayout.open(place.path);
  const version = place.version ?? onlyOne(place, await layout.tags());
  return { source: imageSource(layout, '', version), version };
}

function onlyOne(place: Place, tags: readonly string[]): string {
  const versions = tags.filter((tag) => isVersion(tag));
  const [version, ...others] = versions;
  if (version !== undefined && others.length === 0) return version;
  const what = version === undefined ? 'has no release' : 'has several releases: name the version behind it';
  throw new FactoryError('ERR_FACTORY_PLACE', `${formatPlace(place)}: it ${what}`, { nearest: versions });
}

function targetOf(place: Place, access: Access): ReleaseTarget {
  if (place.kind === 'directory') return directoryTarget(place.path);
  if (place.kind === 'layout') return layoutTarget(place.path);
  return registryTarget(clientOf(place, access), place.repository);
}

function clientOf(
  { registry }: { readonly registry: string },
  { credentialsOf, plain }: Access,
): RegistryClient {
  const credentials = credentialsOf?.(registry);
  return new RegistryClient(registry, { plain: plain === true, ...(credentials && { credentials }) });
}

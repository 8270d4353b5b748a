import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { writeBlob } from '@nodecore/oci';
import { type ReleaseFile, releaseFileName, signatureFileName } from '@nodecore/schematic/release';
import { codeOf, writeFileAtomic } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';
import { locked } from './directory-lock.ts';
import { fileDescriptor } from './release-image.ts';
import type { SignedRelease } from './signed-release.ts';
import { filesOf, type Incoming, type ReleaseTarget } from './target.ts';

/**
 * A directory of releases, as a factory reads them. A release is written beside its name, as `<version>.part`, and gets the name when
 * all of it is on the disk. One that is there is looked at byte for byte, and what is damaged is replaced.
 */
export function directoryTarget(releases: string): ReleaseTarget {
  return {
    store: async (incoming) => {
      const { signed } = incoming;
      await assertOfReleases(releases);
      const place = join(releases, signed.release.version);
      const isThere = await hasSame(place, signed);
      const work = isThere ? place : `${place}.part`;
      await mkdir(work, { recursive: true });
      await using directory = await open(
        work,
        constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
      );
      await locked(directory, work);
      if (!isThere) await removeOthers(work, signed);
      await storeFiles(work, incoming);
      await writeFileAtomic(join(work, signatureFileName), signed.signature, { mode: 0o644 });
      await writeFileAtomic(join(work, releaseFileName), signed.bytes, { mode: 0o644 });
      if (isThere) return;
      await rename(work, place);
      await synced(releases);
    },
  };
}

/** What is easily mistaken for a directory of releases: a release itself, or a layout. */
async function assertOfReleases(path: string): Promise<void> {
  for (const [name, what] of [
    [releaseFileName, 'it is a release: name the directory that it is in'],
    ['oci-layout', `it is an OCI layout: write oci:${path}`],
  ] as const)
    if ((await lstat(join(path, name)).catch(() => undefined)) !== undefined)
      throw new FactoryError('ERR_FACTORY_PLACE', `${path}: ${what}`);
}

/** @throws {FactoryError} with `ERR_FACTORY_RELEASE_OTHER` when the name is taken by something else. */
async function hasSame(place: string, { bytes, release }: SignedRelease): Promise<boolean> {
  const there = await lstat(place).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (there === undefined) return false;
  const found = there.isDirectory()
    ? await readFile(join(place, releaseFileName)).catch(() => undefined)
    : undefined;
  if (found?.equals(bytes) === true) return true;
  throw new FactoryError(
    'ERR_FACTORY_RELEASE_OTHER',
    `${place} is there, and it is ${found === undefined ? 'no release' : `another release ${release.version}`}`,
  );
}

/** What a part has of an earlier call for another release of this version; nobody else writes into it. */
async function removeOthers(work: string, { release }: SignedRelease): Promise<void> {
  const paths = Object.keys(release.files);
  const kept = new Set([...paths, ...paths.map((path) => `${path}.part`)]);
  const directories = new Set(paths.flatMap(parentsOf));
  for (const entry of await readdir(work, { withFileTypes: true, recursive: true })) {
    const path = relative(work, join(entry.parentPath, entry.name));
    const isKept = entry.isDirectory() ? directories.has(path) : entry.isFile() && kept.has(path);
    if (!isKept) await rm(join(work, path), { recursive: true, force: true });
  }
}

async function storeFiles(work: string, { signed, read, onFile, signal }: Incoming): Promise<void> {
  for (const [path, file] of filesOf(signed)) {
    const target = join(work, path);
    await mkdir(dirname(target), { recursive: true });
    const isThere = await isWhole(target, file, signal);
    if (!isThere) await writeBlob(target, fileDescriptor(file), (start) => read(path, file, start), 0o644);
    onFile(path, file, !isThere);
  }
  for (const directory of new Set(Object.keys(signed.release.files).flatMap(parentsOf)))
    await synced(join(work, directory));
}

async function isWhole(path: string, { size, sha256 }: ReleaseFile, signal?: AbortSignal): Promise<boolean> {
  const there = await lstat(path).catch(() => undefined);
  if (there?.isFile() !== true || there.size !== size) return false;
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const hash = createHash('sha256');
  for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024, signal }))
    hash.update(chunk as Buffer);
  return hash.digest('hex') === sha256;
}

/** All directories above a file of a release. */
function parentsOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

async function synced(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}

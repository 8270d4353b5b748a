import type { KeyObject } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { codeOf } from '@nodecore/sys';
import { parseRelease, releaseFileName, signatureFileName, verifyRelease } from '@nodecore/schematic/release';
import { fileView, type View } from '@nodecore/view';

import { FactoryError } from '../errors.ts';
import { LoadedRelease } from './loaded-release.ts';

/** What was found in a directory of releases. */
export type FoundReleases = {
  readonly loaded: readonly LoadedRelease[];
  /** Those that are not what somebody signed, each with the reason. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
};

/**
 * Loads all releases of a directory, one in each directory of it. Each is read from end to end: only what was signed by one of
 * the keys, byte for byte, is loaded.
 *
 * @param known releases by version: one whose files are as they were when it was loaded is not read again.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP` when the directory can't be read.
 */
export async function loadReleases(
  directory: string,
  keys: readonly KeyObject[],
  known: ReadonlyMap<string, LoadedRelease> = new Map(),
): Promise<FoundReleases> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    throw new FactoryError('ERR_FACTORY_SETUP', `${directory}: ${codeOf(error) ?? 'can not be read'}`, {
      cause: error,
    });
  });
  const loaded: LoadedRelease[] = [];
  const refused: { name: string; reason: string }[] = [];
  const names = entries.filter(
    (entry) => entry.isDirectory() && entry.name.startsWith('v') && !entry.name.endsWith('.part'),
  );
  for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    try {
      const before = known.get(name);
      const isThere = before !== undefined && (await isUnchanged(join(directory, name), before));
      loaded.push(isThere ? before : await loadRelease(directory, name, keys));
    } catch (error) {
      refused.push({ name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { loaded, refused };
}

async function isUnchanged(place: string, { signed, files }: LoadedRelease): Promise<boolean> {
  const isSame = async (name: string, bytes: Buffer): Promise<boolean> =>
    bytes.equals(await readFile(join(place, name)));
  if (!(await isSame(releaseFileName, signed.bytes))) return false;
  if (!(await isSame(signatureFileName, signed.signature))) return false;
  for (const [path, { extents }] of files)
    if (!isDeepStrictEqual((await fileView(join(place, path))).extents, extents)) return false;
  return true;
}

async function loadRelease(
  directory: string,
  name: string,
  keys: readonly KeyObject[],
): Promise<LoadedRelease> {
  const place = join(directory, name);
  const bytes = await readFile(join(place, releaseFileName));
  const signature = await readFile(join(place, signatureFileName));
  verifyRelease(bytes, signature, keys);
  const release = parseRelease(bytes.toString());
  if (release.version !== name)
    throw new FactoryError('ERR_FACTORY_RELEASE', `${name} says that it is ${release.version}`);
  const files = new Map<string, View>();
  for (const [path, { size, sha256 }] of Object.entries(release.files)) {
    if (!(await lstat(join(place, path))).isFile())
      throw new FactoryError('ERR_FACTORY_RELEASE', `${path} is no file`);
    const view = await fileView(join(place, path));
    const isSame = view.size === size && (await view.digest('sha256')).toString('hex') === sha256;
    if (!isSame) throw new FactoryError('ERR_FACTORY_RELEASE', `${path} is not what was signed`);
    files.set(path, view);
  }
  return new LoadedRelease({ release, bytes, signature }, files);
}

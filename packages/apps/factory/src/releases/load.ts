import type { KeyObject } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { codeOf } from '@nodecore/sys';
import { parseRelease, releaseFileName, signatureFileName, verifyRelease } from '@nodecore/schematic/release';
import { fileView, type View, ViewError } from '@nodecore/view';

import { FactoryError } from '../errors.ts';
import { systemCodeOf } from '../system-code.ts';
import { LoadedRelease } from './loaded-release.ts';

/** A release that could not be read, or is not what somebody signed. */
export type Unread = {
  readonly name: string;
  /** For everybody: says nothing of where it lies. */
  readonly reason: string;
  /** For whoever runs the factory. */
  readonly detail: string;
};

/** What was found in a directory of releases. */
export type FoundReleases = {
  readonly loaded: readonly LoadedRelease[];
  /** Those that are not loaded. */
  readonly refused: readonly Unread[];
  /** Of those that are loaded, which are as they were known, because the system did not let them be looked at. */
  readonly kept: readonly Unread[];
};

/** What the system says of a file itself. All else is of the machine or the process, as that no descriptor is left. */
const ofFiles: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']);

/**
 * Loads all releases of a directory, one in each directory of it. Each is read from end to end: only what was signed by one of
 * the keys, byte for byte, is loaded.
 *
 * @param known releases by version: one whose files are as they were when it was loaded is not read again, and one that can't be looked
 *   at now stays. Nobody gets other bytes of it: each read looks at the file again.
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
  const [refused, kept]: [Unread[], Unread[]] = [[], []];
  const names = entries.filter(
    (entry) => entry.isDirectory() && entry.name.startsWith('v') && !entry.name.endsWith('.part'),
  );
  for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const before = known.get(name);
    try {
      const isThere = before !== undefined && (await isUnchanged(join(directory, name), before));
      loaded.push(isThere ? before : await loadRelease(directory, name, keys));
    } catch (error) {
      const code = systemCodeOf(error);
      const isKept = before !== undefined && code !== undefined && !ofFiles.has(code);
      if (isKept) loaded.push(before);
      (isKept ? kept : refused).push(unread(name, error));
    }
  }
  return { loaded, refused, kept };
}

/** Errors of the system and of views have paths of this machine in them. */
function unread(name: string, error: unknown): Unread {
  const detail = error instanceof Error ? error.message : String(error);
  const code = systemCodeOf(error) ?? (error instanceof ViewError ? error.code : undefined);
  return { name, reason: code ?? detail, detail };
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

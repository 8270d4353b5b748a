import { randomInt } from 'node:crypto';
import { type FileHandle, lstat, readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { codeOf, giveToSudoUser, makeUserDirectory, stageFile } from '@nodecore/sys';

import { OsconfigError } from './osconfig-errors.ts';
import { locate, type Location, type LocationOptions } from './osconfig-location.ts';
import { Osconfig } from './osconfig.ts';

/** A client config and the place it was read from, or will be written to. */
export type LoadedOsconfig = { readonly osconfig: Osconfig; readonly location: Location };

/** What the file had when it was read: another program may have added a context since, whose key is nowhere else. */
const read = new WeakMap<Osconfig, Buffer | undefined>();

/** Of an edit among others. */
const mostTries = 30;
const mostPauseMs = 100;
/** What two who write one file at once get of each other: the part of one is there, another's, or gone. */
const collisions: ReadonlySet<string | undefined> = new Set(['EEXIST', 'ESTALE', 'ENOENT']);

/**
 * Reads the user's client config; see {@link locate} for which file that is. A user without a file has an empty config.
 *
 * @param options.create with it, a file that the user names need not exist yet.
 * @throws {OsconfigError} `ERR_OSCONFIG_NOT_FOUND` for a named file that does not exist, `ERR_OSCONFIG_READ` for one that can't be read.
 */
export async function loadOsconfig(
  options: LocationOptions & { readonly create?: boolean } = {},
): Promise<LoadedOsconfig> {
  const location = await locate(options);
  const { path } = location;
  const from = options.flag === undefined ? 'OSCONFIG' : '--osconfig';
  const content = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    const advice = location.named ? `correct ${from}` : 'give another one with --osconfig';
    throw failure('ERR_OSCONFIG_READ', path, error, `can't be read: ${codeOf(error)}; ${advice}`);
  });
  const isEmpty = content === undefined && (!location.named || options.create === true);
  if (content !== undefined || isEmpty) {
    const osconfig = content === undefined ? Osconfig.empty(path) : Osconfig.parse(content, path);
    read.set(osconfig, content);
    return { osconfig, location };
  }
  const message = `${path} does not exist; correct ${from}, or create it with osctl config merge`;
  throw new OsconfigError('ERR_OSCONFIG_NOT_FOUND', path, message);
}

/**
 * Changes the user's client config, which need not exist before. Where another program writes it meanwhile, what that has made of it is
 * changed in its place.
 *
 * @param change may be called again, with what the file has then.
 * @throws {OsconfigError} as {@link loadOsconfig} and {@link saveOsconfig}; what `change` throws.
 */
export async function editOsconfig<T>(
  options: LocationOptions,
  change: (loaded: LoadedOsconfig) => T | Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const loaded = await loadOsconfig({ ...options, create: true });
    const result = await change(loaded);
    try {
      await saveOsconfig(loaded);
      return result;
    } catch (error) {
      if (codeOf(error) !== 'ERR_OSCONFIG_CHANGED' || tries === mostTries) throw error;
    }
    await setTimeout(randomInt(mostPauseMs)); // those who meet once meet again at the same pace
  }
}

/**
 * Writes a client config so that only its owner can read it, whole or not at all; the directory is made unless it is there. By sudo(8)
 * it stays, or becomes, that of who called it, in a directory of that user.
 *
 * @throws {OsconfigError} `ERR_OSCONFIG_WRITE` when that can't be, `ERR_OSCONFIG_CHANGED` when the file is not what was read any more; then
 *   it is as it was. `ERR_OSCONFIG_READ_ONLY` for that of a service account.
 */
export async function saveOsconfig({ osconfig, location }: LoadedOsconfig): Promise<void> {
  const { path, readOnly } = location;
  if (readOnly) {
    const message = `${path} belongs to a service account; give --osconfig to write elsewhere`;
    throw new OsconfigError('ERR_OSCONFIG_READ_ONLY', path, message);
  }
  try {
    await makeUserDirectory(dirname(path));
    const content = Buffer.from(osconfig.encode());
    const place = await meant(path);
    const write = async (file: FileHandle): Promise<void> => {
      await giveToSudoUser(file, place);
      await file.writeFile(content);
    };
    await using staged = await stageFile(place, write, { mode: 0o600 });
    await requireUnchanged(osconfig, path);
    await staged.commit().catch((error: unknown) => {
      throw collisions.has(codeOf(error)) ? changed(path, error) : error;
    });
    read.set(osconfig, content);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw changed(path, error);
    const advice = 'look at its directory, or give another file with --osconfig';
    throw failure('ERR_OSCONFIG_WRITE', path, error, `can't be written: ${codeOf(error)}; ${advice}`);
  }
}

async function requireUnchanged(osconfig: Osconfig, path: string): Promise<void> {
  if (!read.has(osconfig)) return;
  const now = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  const before = read.get(osconfig);
  if (now === undefined ? before !== undefined : before?.equals(now) !== true) throw changed(path);
}

function changed(path: string, cause?: unknown): OsconfigError {
  const message = `${path} is being changed by another program; give the command again`;
  return new OsconfigError('ERR_OSCONFIG_CHANGED', path, message, { cause });
}

/** A link of the user's own, or of root, stays a link, and the file that it names is replaced; any other would choose where keys go. */
async function meant(path: string): Promise<string> {
  const named = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (named?.isSymbolicLink() !== true) return path;
  if (named.uid === 0 || named.uid === process.geteuid?.()) return await realpath(path);
  const message = `${path} is a link of another user; remove it, or give another file with --osconfig`;
  throw new OsconfigError('ERR_OSCONFIG_WRITE', path, message);
}

function failure(
  code: 'ERR_OSCONFIG_READ' | 'ERR_OSCONFIG_WRITE',
  path: string,
  cause: unknown,
  what: string,
): unknown {
  return codeOf(cause) === undefined || cause instanceof OsconfigError
    ? cause
    : new OsconfigError(code, path, `${path} ${what}`, { cause });
}

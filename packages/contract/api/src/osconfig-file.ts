import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

import { codeOf, makeDirectory, writeFileAtomic } from '@nodecore/sys';

import { OsconfigError } from './osconfig-errors.ts';
import { locate, type Location, type LocationOptions } from './osconfig-location.ts';
import { Osconfig } from './osconfig.ts';

/** A client config and the place it was read from, or will be written to. */
export type LoadedOsconfig = { readonly osconfig: Osconfig; readonly location: Location };

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
  if (content !== undefined) return { osconfig: Osconfig.parse(content, path), location };
  if (!location.named || options.create === true) return { osconfig: Osconfig.empty(path), location };
  const message = `${path} does not exist; correct ${from}, or create it with osctl config merge`;
  throw new OsconfigError('ERR_OSCONFIG_NOT_FOUND', path, message);
}

/**
 * Writes a client config so that only its owner can read it, whole or not at all; the directory is made unless it is there.
 *
 * @throws {OsconfigError} `ERR_OSCONFIG_WRITE` when that can't be; then the file is as it was. `ERR_OSCONFIG_READ_ONLY` for that of a
 *   service account.
 */
export async function saveOsconfig({ osconfig, location }: LoadedOsconfig): Promise<void> {
  const { path, readOnly } = location;
  if (readOnly) {
    const message = `${path} belongs to a service account; give --osconfig to write elsewhere`;
    throw new OsconfigError('ERR_OSCONFIG_READ_ONLY', path, message);
  }
  try {
    await makeDirectory(dirname(path));
    await writeFileAtomic(await meant(path), osconfig.encode(), { mode: 0o600 });
  } catch (error) {
    const advice = 'look at its directory, or give another file with --osconfig';
    throw failure('ERR_OSCONFIG_WRITE', path, error, `can't be written: ${codeOf(error)}; ${advice}`);
  }
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

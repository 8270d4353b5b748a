import { readFile } from 'node:fs/promises';
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
 * @throws {OsconfigError} `ERR_OSCONFIG_NOT_FOUND` for a named file that does not exist.
 */
export async function loadOsconfig(
  options: LocationOptions & { readonly create?: boolean } = {},
): Promise<LoadedOsconfig> {
  const location = await locate(options);
  const { path } = location;
  try {
    return { osconfig: Osconfig.parse(await readFile(path), path), location };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    if (!location.named || options.create === true) return { osconfig: Osconfig.empty(path), location };
    const from = options.flag === undefined ? 'OSCONFIG' : '--osconfig';
    const message = `${path} does not exist; correct ${from}, or create it with osctl config merge`;
    throw new OsconfigError('ERR_OSCONFIG_NOT_FOUND', path, message);
  }
}

/** Writes a client config so that only its owner can read it, whole or not at all. */
export async function saveOsconfig({ osconfig, location }: LoadedOsconfig): Promise<void> {
  const { path, readOnly } = location;
  if (readOnly) {
    const message = `${path} belongs to a service account; give --osconfig to write elsewhere`;
    throw new OsconfigError('ERR_OSCONFIG_READ_ONLY', path, message);
  }
  await makeDirectory(dirname(path));
  await writeFileAtomic(path, osconfig.encode(), { mode: 0o600 });
}

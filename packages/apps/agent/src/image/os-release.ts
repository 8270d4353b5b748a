import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

/**
 * The version of the image that runs, as it is written in file names and in its os-release: `1.14.0~alpha.0`. Undefined where the
 * file names none.
 */
export async function imageVersion(osRelease: string): Promise<string | undefined> {
  try {
    return /^IMAGE_VERSION="?([^"\n]+)"?$/mu.exec(await readFile(osRelease, 'utf8'))?.[1];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** When what the image is made of was committed. Undefined where the file says nothing of it, or nothing that is a time. */
export async function imageBuilt(osRelease: string): Promise<Date | undefined> {
  const said = /^BUILD_ID="?([^"\n]+)"?$/mu.exec(await readFile(osRelease, 'utf8'))?.[1];
  const built = new Date(said ?? Number.NaN);
  return Number.isNaN(built.getTime()) ? undefined : built;
}

/** The same as it is written in tags and resources: `v1.14.0-alpha.0`. */
export async function taggedImageVersion(osRelease: string): Promise<string | undefined> {
  const version = await imageVersion(osRelease);
  return version === undefined ? undefined : `v${version.replace('~', '-')}`;
}

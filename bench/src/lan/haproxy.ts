import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runProgram } from '../program.ts';

const cache = fileURLToPath(new URL('../../../.cache/bench', import.meta.url));
const place = join(cache, 'haproxy');

/** Debian's haproxy, and the libraries that nothing else of this project wants. */
const packages = ['haproxy', 'libopentracing-c-wrapper0', 'libopentracing1', 'liblua5.3-0'];

/** How haproxy is started; its libraries are beside it. */
export const haproxy: readonly [string, ...string[]] = [
  'env',
  `LD_LIBRARY_PATH=${join(place, 'usr/lib')}`,
  join(place, 'usr/sbin/haproxy'),
];

/**
 * Unpacks it into the cache, and installs nothing: as a package it is a service, which this machine would run.
 *
 * @returns why it can't be had here, or undefined.
 */
export async function unpackHaproxy(): Promise<string | undefined> {
  if (existsSync(place)) return undefined;
  const work = join(cache, 'haproxy.part');
  const download = join(work, 'download');
  try {
    await rm(work, { recursive: true, force: true });
    await mkdir(download, { recursive: true });
    const get = 'cd "$1" && shift && exec apt-get -o APT::Sandbox::User=root download "$@"';
    await runProgram(['sh', '-c', get, 'sh', download, ...packages]);
    for (const name of await readdir(download))
      await runProgram(['dpkg-deb', '--extract', join(download, name), work]);
    // From the directory of this machine's architecture to one that is called the same everywhere.
    const libraries = join(work, 'usr/lib');
    for (const triplet of await readdir(libraries))
      for (const name of await readdir(join(libraries, triplet)).catch((): string[] => []))
        await rename(join(libraries, triplet, name), join(libraries, name));
    await rm(download, { recursive: true });
    await rename(work, place);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

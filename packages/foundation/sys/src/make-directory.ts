import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { codeOf } from './coded-error.ts';

export type MakeDirectoryOptions = {
  /** Permission bits of what is made; 0o700 unless given. The umask takes its own away. */
  readonly mode?: number;
};

/**
 * Makes a directory, and those on the way to it; one that is there stays as it is. `mkdir` of Node.js with `recursive` never
 * ends where a filesystem, such as /proc, says that a directory in one that is there can't be found.
 *
 * @returns the first one that was made; undefined when all were there.
 * @throws {Error} of mkdir(2), for the first directory that can't be made.
 */
export async function makeDirectory(
  path: string,
  { mode = 0o700 }: MakeDirectoryOptions = {},
): Promise<string | undefined> {
  return (await made(resolve(path), mode)).first;
}

type Made = { readonly first: string | undefined };

async function made(path: string, mode: number): Promise<Made> {
  const parent = dirname(path);
  const one = await attempt(path, mode);
  if (!('missing' in one)) return one;
  // It may have been made by another process meanwhile.
  const above = parent === path || (await isDirectory(parent)) ? undefined : await made(parent, mode);
  const again = await attempt(path, mode);
  if ('missing' in again) throw again.missing;
  return { first: above?.first ?? again.first };
}

async function attempt(path: string, mode: number): Promise<Made | { readonly missing: unknown }> {
  try {
    await mkdir(path, { mode });
    return { first: path };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && (await isDirectory(path))) return { first: undefined };
    if (code === 'ENOENT') return { missing: error };
    throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

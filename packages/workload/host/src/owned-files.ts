import { chmod, lstat, mkdir, readFile, readlink, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, writeFileAtomic } from '@nodecore/sys';

import { HostError } from './errors.ts';
import type { Originals } from './originals.ts';

/** A file as somebody wants it. */
export type WantedFile = {
  /** Permission bits, 0o777 at most. */
  readonly mode: number;
  readonly contents: Uint8Array;
};

/** Why a file is not as it is wanted, or could not be given back; undefined: it is. */
export type FileStatus = { readonly path: string; readonly error: HostError | undefined };

/** What stood at the path before us, and the directories that we made for it, outermost first. */
type Original = { readonly made: readonly string[] } & (
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly base64: string; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }
);

/** A file of somebody else that is larger is not replaced: it is kept in the record, whole. */
const mostBytes = 1 << 20;

/**
 * Files below a directory that belong to their feature: written whole or not at all, and given back what was there before.
 * No path leads through a symbolic link. One file that fails keeps no other from being written.
 *
 * Owner is root, group too. A process that is killed at any step leaves a record from which the next goes on.
 */
export class OwnedFiles {
  readonly #directory: string;
  readonly #originals: Originals;

  /** @param originals lies on the same storage as the directory, or goes with it. */
  constructor(directory: string, originals: Originals) {
    this.#directory = directory;
    this.#originals = originals;
  }

  /** Makes these files so, and gives back all others that were written before, also by a process before this one. */
  async apply(wanted: ReadonlyMap<string, WantedFile>): Promise<readonly FileStatus[]> {
    const statuses: FileStatus[] = [];
    // First what goes: a path may become a directory of another one.
    for (const [path, original] of await this.#originals.all()) {
      if (wanted.has(path)) continue;
      const error = await failureOf(path, () => this.#giveBack(path, JSON.parse(original) as Original));
      if (error !== undefined) statuses.push({ path, error });
    }
    for (const [path, file] of wanted)
      statuses.push({ path, error: await failureOf(path, () => this.#make(path, file)) });
    return statuses;
  }

  async #make(path: string, { mode, contents }: WantedFile): Promise<void> {
    const names = namesOf(path);
    const missing = await this.#missingDirectories(path, names);
    const target = join(this.#directory, path);
    if (!(await this.#originals.all()).has(path))
      await this.#originals.remember(
        path,
        JSON.stringify({ ...(await standing(path, target)), made: missing }),
      );
    else if (await isSame(target, mode, contents)) return;
    for (const directory of missing) await mkdir(join(this.#directory, directory), { mode: 0o755 });
    await this.#replace(target, mode, contents);
  }

  async #giveBack(path: string, original: Original): Promise<void> {
    const target = join(this.#directory, path);
    const isThere = (await this.#missingDirectories(path, namesOf(path))).length === 0;
    if (isThere) await rm(`${target}.part`, { recursive: true, force: true }); // left by a crash
    if (isThere && original.kind === 'absent') await removeFile(path, target);
    if (isThere && original.kind === 'file')
      await this.#replace(target, original.mode, Buffer.from(original.base64, 'base64'));
    if (isThere && original.kind === 'link') {
      await symlink(original.target, `${target}.part`);
      await rename(`${target}.part`, target);
    }
    for (const directory of original.made.toReversed())
      await rmdir(join(this.#directory, directory)).catch(() => {}); // others may have put something into it
    await this.#originals.forget(path);
  }

  async #replace(target: string, mode: number, contents: Uint8Array): Promise<void> {
    await writeFileAtomic(target, contents, { mode });
    await chmod(target, mode); // whatever the umask of this process is
  }

  /** Directories of the path that are not there, outermost first. @throws {HostError} when one is something else. */
  async #missingDirectories(path: string, names: readonly string[]): Promise<readonly string[]> {
    for (let depth = 1; depth < names.length; depth++) {
      const parent = names.slice(0, depth).join('/');
      const found = await statOf(join(this.#directory, parent));
      if (found === undefined)
        return names.slice(depth - 1, -1).map((_, index) => names.slice(0, depth + index).join('/'));
      if (!found.isDirectory()) throw new HostError('ERR_HOST_OCCUPIED', path, `${parent} is no directory`);
    }
    return [];
  }
}

async function statOf(path: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** What is at the path now. */
async function standing(path: string, target: string): Promise<Record<string, unknown>> {
  const found = await statOf(target);
  if (found === undefined) return { kind: 'absent' };
  if (found.isSymbolicLink()) return { kind: 'link', target: await readlink(target) };
  if (!found.isFile())
    throw new HostError('ERR_HOST_OCCUPIED', path, 'something that is no file stands there');
  if (found.size > mostBytes)
    throw new HostError('ERR_HOST_OCCUPIED', path, 'a file of more than 1 MiB stands there');
  const base64 = (await readFile(target)).toString('base64');
  return { kind: 'file', base64, mode: Number(found.mode) & 0o7777 };
}

async function isSame(target: string, mode: number, contents: Uint8Array): Promise<boolean> {
  const found = await statOf(target);
  if (found?.isFile() !== true || (Number(found.mode) & 0o7777) !== mode) return false;
  return Number(found.size) === contents.length && (await readFile(target)).equals(contents);
}

async function removeFile(path: string, target: string): Promise<void> {
  const found = await statOf(target);
  if (found?.isDirectory() === true)
    throw new HostError('ERR_HOST_OCCUPIED', path, 'somebody has put a directory in its place');
  await rm(target, { force: true });
}

/** @throws {HostError} `ERR_HOST_NAME` for a path that is not plainly below. */
function namesOf(path: string): readonly string[] {
  const names = path.split('/');
  if (path.includes('\0') || names.some((name) => name === '' || name === '.' || name === '..'))
    throw new HostError('ERR_HOST_NAME', path, 'is no path below the directory');
  return names;
}

async function failureOf(path: string, act: () => Promise<void>): Promise<HostError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof HostError) return error;
    const errno = codeOf(error);
    if (errno === undefined) throw error;
    const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(errno);
    const code = isRefused ? 'ERR_HOST_DENIED' : 'ERR_HOST_FAILED';
    return new HostError(code, path, `can not be written: ${errno}`, { cause: error });
  }
}

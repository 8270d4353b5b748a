import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { isAbsolute, join } from 'node:path';

import { codeOf } from './coded-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const otherMayWrite = 0o002;
const groupMayWrite = 0o020;

/**
 * Keeps modules as V8 has compiled them for the next start, where nobody else can prepare them: Node's own choice is a directory
 * in /tmp. Keeps nothing when there is no such place. What NODE_COMPILE_CACHE says goes first.
 */
export function keepCompiled(): void {
  const directory = compileCacheDirectory(process.env, process.geteuid?.() ?? -1);
  if (directory !== undefined) enableCompileCache(directory);
}

/**
 * A directory of the user's own for it, which is made unless it is there: in the user's cache (XDG Base Directory
 * Specification), for root in /var/cache otherwise. Undefined when nothing of that is the user's, or others may write to it.
 */
export function compileCacheDirectory(
  { XDG_CACHE_HOME: cache, HOME: home }: Environment,
  user: number,
  systemCache = '/var/cache',
): string | undefined {
  const places: [begin: string, ...names: string[]][] = [];
  if (cache !== undefined && isAbsolute(cache)) places.push([cache, 'nodecore']);
  else if (home !== undefined && isAbsolute(home)) places.push([home, '.cache', 'nodecore']);
  if (user === 0) places.push([systemCache, 'nodecore']);
  return places.map((place) => ownDirectory(place, user)).find((directory) => directory !== undefined);
}

/** The first is there or nothing is; a user who may replace one of them may replace what is in it. */
function ownDirectory([begin, ...names]: [string, ...string[]], user: number): string | undefined {
  try {
    if (!isOwn(begin, user)) return undefined;
    let directory = begin;
    for (const name of names) {
      directory = join(directory, name);
      makeOne(directory);
      if (!isOwn(directory, user)) return undefined;
    }
    return (lstatSync(directory).mode & groupMayWrite) === 0 ? directory : undefined;
  } catch {
    return undefined; // a start that compiles is as good, and slower
  }
}

/** Not with `recursive`, which never ends below /proc: those on the way are there. */
function makeOne(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function isOwn(directory: string, user: number): boolean {
  const found = lstatSync(directory);
  return found.isDirectory() && found.uid === user && (found.mode & otherMayWrite) === 0;
}

import { readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { codeOf } from '@nodecore/sys';

/** Asked at once; each takes a thread of the pool for some microseconds. */
const atOnce = 32;

/**
 * The names of processes by the text of `cgroup.procs`: of the executable, else of the command. One that has ended
 * meanwhile has none.
 *
 * @param directory `/proc`.
 */
export async function processNames(
  text: string,
  directory: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ids = text.split('\n').filter((line) => /^[1-9]\d*$/.test(line)); // 0: of another PID namespace
  const names: string[] = [];
  for (let at = 0; at < ids.length; at += atOnce) {
    signal.throwIfAborted();
    const found = await Promise.all(ids.slice(at, at + atOnce).map((id) => processName(join(directory, id))));
    names.push(...found.filter((name) => name !== undefined));
  }
  return names;
}

/** @param process its directory below `/proc`. */
export async function processName(process: string): Promise<string | undefined> {
  const executable = await ifThere(() => readlink(join(process, 'exe')));
  // What runs from memory has a name that says nothing.
  if (executable !== undefined && !executable.startsWith('/memfd:'))
    return basename(executable.replace(/ \(deleted\)$/, ''));
  // A thread of the kernel has no executable; that of another user can't be read.
  const command = await ifThere(() => readFile(join(process, 'comm'), 'utf8'));
  return command?.trimEnd();
}

async function ifThere(read: () => Promise<string>): Promise<string | undefined> {
  try {
    return await read();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

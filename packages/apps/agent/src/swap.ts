import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { findHierarchy } from '@nodecore/cgroup';
import { codeOf } from '@nodecore/sys';

import type { Log } from './log.ts';

export type SwapSources = {
  /** /proc/self/cgroup */
  readonly cgroup: string;
  /** /proc/swaps */
  readonly swaps: string;
  /** Where cgroup v2 is mounted; undefined where it is not. */
  readonly hierarchy: string | undefined;
  readonly pid: number;
};

/** What keeps this process out of swap: a limit that was there, one that was set, no swap at all today, or nothing. */
export type SwapState = 'limited' | 'limited-now' | 'no-swap' | 'swap';

/**
 * Keeps the agent out of swap, as the service file does where systemd starts it: V8 and the C libraries hold what they were
 * given for a while, outside of the memory that is locked.
 */
export async function keepOutOfSwap(log: Log): Promise<void> {
  const [cgroup, swaps] = await Promise.all([textOf('/proc/self/cgroup'), textOf('/proc/swaps')]);
  const hierarchy = await findHierarchy().catch(() => undefined);
  const state = await limitSwap({ cgroup, swaps, hierarchy: hierarchy?.directory, pid: process.pid });
  if (state === 'swap')
    log.warn(
      'swap is on, and this process may be swapped: start it as a service with MemorySwapMax=0, or switch swap off',
    );
}

/**
 * Looks for a `memory.swap.max` of 0 on the way up from the process's cgroup, and else writes it to that cgroup when the
 * process is alone there; where neither is so, /proc/swaps decides.
 *
 * @throws {Error} a system error of the write, unless the file is missing or may not be written.
 */
export async function limitSwap({ cgroup, swaps, hierarchy, pid }: SwapSources): Promise<SwapState> {
  const own = /^0::(\/.*)$/m.exec(cgroup)?.[1];
  if (hierarchy !== undefined && own !== undefined) {
    if (await isLimited(hierarchy, own)) return 'limited';
    if (await limitOwn(join(hierarchy, own), pid)) return 'limited-now';
  }
  return swaps.trim().split('\n').length > 1 ? 'swap' : 'no-swap';
}

/** By its own cgroup, or by one that this is in. */
async function isLimited(hierarchy: string, own: string): Promise<boolean> {
  for (let path = own; path !== '/'; path = dirname(path))
    if ((await textOf(join(hierarchy, path, 'memory.swap.max'))).trim() === '0') return true;
  return false;
}

/** Only when this process is alone in the cgroup: whether others may be swapped is not for the agent to decide. */
async function limitOwn(directory: string, pid: number): Promise<boolean> {
  const members = (await textOf(join(directory, 'cgroup.procs'))).trim().split('\n');
  if (members.join() !== String(pid)) return false;
  try {
    await writeFile(join(directory, 'memory.swap.max'), '0', { flag: 'r+' });
    return true;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

/** Empty when there is no such file. */
async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
}

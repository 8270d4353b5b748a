import { CgroupError } from '../errors.ts';
import { single } from '../files/format.ts';
import type { HeldCgroup } from './held-cgroup.ts';

/** What a limit was, and what it becomes, as the kernel writes both. */
export type Limited = { readonly former: string; readonly written: string };

/** The kernel rounds down to pages, the largest of which have this many bytes (arm64). */
const largestPage = 65_536;

/**
 * What memory.high becomes with a limit, without setting it: so that it can be recorded how to undo it before it is done.
 *
 * @throws {CgroupError} `ERR_CGROUP_OPTION` when there is a lower limit already.
 */
export async function limitFor(cgroup: HeldCgroup, bytes: number): Promise<Limited> {
  const former = (await cgroup.read('memory.high')).trim();
  const wanted = Math.max(0, Math.floor(bytes / largestPage)) * largestPage;
  if ((single(former) ?? Infinity) <= wanted)
    throw new CgroupError(
      'ERR_CGROUP_OPTION',
      cgroup.path,
      `memory.high is ${former}, which is lower already`,
    );
  return { former, written: String(wanted) };
}

/**
 * Lowers memory.high: who goes beyond it is slowed down and reclaimed from.
 *
 * @throws {CgroupError} `ERR_CGROUP_UNVERIFIED` when the kernel has something else afterwards.
 */
export async function limitMemory(cgroup: HeldCgroup, { written }: Limited): Promise<void> {
  await setHigh(cgroup, written);
}

/** Gives back the former limit. @returns false when another limit was set since, which stays. */
export async function unlimitMemory(cgroup: HeldCgroup, { former, written }: Limited): Promise<boolean> {
  if ((await cgroup.read('memory.high')).trim() !== written) return false;
  await setHigh(cgroup, former);
  return true;
}

async function setHigh(cgroup: HeldCgroup, text: string): Promise<void> {
  await cgroup.write('memory.high', text);
  const now = (await cgroup.read('memory.high')).trim();
  if (now !== text)
    throw new CgroupError('ERR_CGROUP_UNVERIFIED', cgroup.path, `memory.high is ${now}, not ${text}`);
}

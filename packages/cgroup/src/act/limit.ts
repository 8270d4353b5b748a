import { CgroupError } from '../errors.ts';
import { single } from '../files/format.ts';
import type { HeldCgroup } from './held-cgroup.ts';

/** What a limit was, and what it is, as the kernel writes both. */
export type Limited = { readonly former: string; readonly written: string };

/** The kernel rounds down to pages, the largest of which have this many bytes (arm64). */
const largestPage = 65_536;

/**
 * Lowers memory.high: who goes beyond it is slowed down and reclaimed from. A limit that is lower already stays.
 *
 * @throws {CgroupError} `ERR_CGROUP_UNVERIFIED` when the kernel has something else afterwards.
 */
export async function limitMemory(cgroup: HeldCgroup, bytes: number): Promise<Limited> {
  const former = (await cgroup.read('memory.high')).trim();
  const wanted = Math.max(0, Math.floor(bytes));
  if ((single(former) ?? Infinity) <= wanted) return { former, written: former };
  await cgroup.write('memory.high', String(wanted));
  const written = (await cgroup.read('memory.high')).trim();
  const now = single(written);
  if (now !== undefined && now <= wanted && now > wanted - largestPage) return { former, written };
  throw new CgroupError('ERR_CGROUP_UNVERIFIED', cgroup.path, `memory.high is ${written}, not ${wanted}`);
}

/** Gives back the former limit. @returns false when somebody else has set another one since: theirs stays. */
export async function unlimitMemory(cgroup: HeldCgroup, { former, written }: Limited): Promise<boolean> {
  if ((await cgroup.read('memory.high')).trim() !== written) return false;
  await cgroup.write('memory.high', former);
  const now = (await cgroup.read('memory.high')).trim();
  if (now === former) return true;
  throw new CgroupError('ERR_CGROUP_UNVERIFIED', cgroup.path, `memory.high is ${now}, not ${former}`);
}

import { CgroupError } from '../errors.ts';
import type { HeldCgroup } from './held-cgroup.ts';
import { type ActOptions, until } from './until.ts';

/**
 * Stops every process of a cgroup and below, and resolves when the kernel says that all stand still (cgroup-v2.rst,
 * `cgroup.freeze`). A process in the middle of an uninterruptible wait comes to a stop only after it.
 *
 * @throws {CgroupError} `ERR_CGROUP_UNVERIFIED` when they don't within the time; then it is undone.
 */
export async function freeze(cgroup: HeldCgroup, options: ActOptions = {}): Promise<void> {
  await cgroup.write('cgroup.freeze', '1');
  let stands = false;
  try {
    stands = await until(() => cgroup.event('frozen'), options);
  } finally {
    if (!stands) await thaw(cgroup);
  }
  if (!stands)
    throw new CgroupError('ERR_CGROUP_UNVERIFIED', cgroup.path, 'its processes do not stand still');
}

/** Lets the processes go on. @returns whether the cgroup was to be frozen; one that was not is left as it is. */
export async function thaw(cgroup: HeldCgroup): Promise<boolean> {
  const before = (await cgroup.read('cgroup.freeze')).trim();
  await cgroup.write('cgroup.freeze', '0');
  const state = (await cgroup.read('cgroup.freeze')).trim();
  if (state !== '0') throw new CgroupError('ERR_CGROUP_UNVERIFIED', cgroup.path, `cgroup.freeze is ${state}`);
  return before === '1';
}

import { codeOf } from '@nodecore/sys';

import { CgroupError } from '../errors.ts';
import { freeze, thaw } from './freeze.ts';
import { type HeldCgroup, lacks } from './held-cgroup.ts';
import { processesOf } from './members.ts';
import { type ActOptions, until } from './until.ts';

export type KillOptions = ActOptions & {
  /** How to kill; `signals` is what kernels before 5.14 leave. By default whatever the kernel has. */
  readonly by?: 'file' | 'signals';
};

/**
 * Kills every process of a cgroup and below, and resolves when there is none any more.
 *
 * With `cgroup.kill` no process escapes by forking. Kernels before 5.14 lack it: there the cgroup is frozen, so that
 * nothing forks, each process gets SIGKILL, and the rest of it is thawed.
 *
 * @returns what was used.
 * @throws {CgroupError} `ERR_CGROUP_UNVERIFIED` when processes are left after the time: they wait for a device that
 *   doesn't answer. They are killed once it does.
 */
export async function kill(cgroup: HeldCgroup, options: KillOptions = {}): Promise<'file' | 'signals'> {
  const by = options.by ?? (await killByFile(cgroup));
  if (by === 'signals') await killBySignals(cgroup, options);
  else if (options.by === 'file') await cgroup.write('cgroup.kill', '1');
  if (await until(async () => !(await cgroup.event('populated')), options)) return by;
  throw new CgroupError('ERR_CGROUP_UNVERIFIED', cgroup.path, 'it still has processes');
}

async function killByFile(cgroup: HeldCgroup): Promise<'file' | 'signals'> {
  try {
    await cgroup.write('cgroup.kill', '1');
    return 'file';
  } catch (error) {
    if (await lacks(cgroup, error)) return 'signals';
    throw error;
  }
}

async function killBySignals(cgroup: HeldCgroup, options: ActOptions): Promise<void> {
  // Those that do not stand still are killed, too; only their forks could be missed, and are found by the next look.
  await freeze(cgroup, options).catch((error: unknown) => {
    if (!(error instanceof CgroupError) || error.code !== 'ERR_CGROUP_UNVERIFIED') throw error;
  });
  try {
    await until(async () => {
      const pids = (await processesOf(cgroup)).filter((pid) => pid > 1 && pid !== process.pid);
      for (const pid of pids) sendKill(pid);
      return pids.length === 0;
    }, options);
  } finally {
    await thaw(cgroup).catch((error: unknown) => {
      if (!(error instanceof CgroupError) || error.code !== 'ERR_CGROUP_NOT_FOUND') throw error;
    });
  }
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error; // it ended by itself
  }
}

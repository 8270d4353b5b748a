import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { Namespace } from '@nodecore/lan';
import { MachineRecord } from '@nodecore/machine/kept';
import { codeOf, isRunning } from '@nodecore/sys';

import type { ClusterDirectory } from '../directory.ts';
import type { ClusterPlan, PlannedNode } from '../plan.ts';
import { callRuntime } from './call-runtime.ts';
import { type ContainerPlace, placeOf } from './place.ts';

const cgroups = '/sys/fs/cgroup';

/**
 * Ends the container of a node, however far it came and whoever was killed: what starts it, all that is in its network namespace,
 * and what the runtime keeps of it. Its state and data stay. One that is not there is fine.
 *
 * @throws {LanError} `ERR_LAN_INSIDE` when a process inside does not end.
 */
export async function endContainer(
  plan: ClusterPlan,
  node: PlannedNode,
  directory: ClusterDirectory,
): Promise<void> {
  const place = placeOf(plan, node, directory);
  if (!(await isThere(place.path))) return;
  const record = await MachineRecord.read(place.path);
  // Who starts one is recorded first, and the runtime makes its directory before all else: here none was ever started.
  if (record.programs.length === 0 && !(await isThere(place.runtimeRoot))) return;
  // The whole group: a runtime that goes on would make a container that nobody knows of.
  for (const program of record.programs) if (isRunning(program)) killGroup(program.pid);
  await new Namespace(place.id).end();
  await record.clear();
  if (await isThere(join(place.runtimeRoot, place.id))) await forget(place);
  await removeCgroups(place.id);
  for (const file of [place.pidFile, place.endFile]) await rm(file, { force: true });
}

async function forget(place: ContainerPlace): Promise<void> {
  await callRuntime(place, 'delete', '--force', place.id);
  await rm(join(place.runtimeRoot, place.id), { recursive: true, force: true }); // of a start that was killed half-way
}

/** Those that a killed runtime has left are empty by now. In the place of a version 2 that is not mounted crun makes a plain directory. */
async function removeCgroups(id: string): Promise<void> {
  for (const name of ['', ...(await readdir(cgroups))]) {
    const path = join(cgroups, name, id);
    await rmdir(path).catch(async (error: unknown) => {
      const code = codeOf(error);
      if (code === 'ENOTEMPTY') await rm(path, { recursive: true, force: true });
      else if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    });
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { removeNetwork } from '@nodecore/lan';
import { endKept } from '@nodecore/machine';

import { endContainer } from './container/end-container.ts';
import { removeContext } from './contexts.ts';
import type { ClusterDirectory } from './directory.ts';
import { ClusterError } from './errors.ts';
import { endKeeper } from './keeper/start.ts';
import { lockKeeping } from './lock.ts';
import { archiveLogs } from './logs-archive.ts';
import { originalOf, requireOwner } from './place.ts';
import { lanOf } from './plan.ts';
import { changeState, readState } from './state.ts';

/** How a cluster is taken away. */
export type DestroyOptions = {
  /** Its directory goes also when something else could not be removed, or not be saved. */
  readonly force?: boolean;
  /** A file that gets all its logs (tar.gz), with the last lines: when nothing of it runs any more. */
  readonly logsArchive?: string | undefined;
};

/**
 * Takes a cluster away, however far it came and whichever of its processes was killed meanwhile: its keeper, its machines, its network with
 * all that runs in it, the contexts that it put into client configs, and last its directory. No process is ended that is
 * not the cluster's: those that are recorded by id and start time, and those inside its namespace. A copy of a cluster's directory goes, and
 * nothing else.
 *
 * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`; `ERR_CLUSTER_STATE` for one of another user; `ERR_CLUSTER_LEFT` with all that stays, and the directory with it.
 */
export async function destroyCluster(
  directory: ClusterDirectory,
  { force = false, logsArchive }: DestroyOptions = {},
): Promise<void> {
  if (!(await directory.exists())) throw await directory.notFound();
  await requireOwner(directory.path);
  if ((await originalOf(directory.path)) !== undefined) {
    await rm(directory.path, { recursive: true });
    return;
  }
  const left: string[] = [];
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => left.push(error instanceof Error ? error.message : String(error)));
  };
  // The keeper first: it switches machines on again, and makes what is not there yet. None is started from here on.
  await attempt(async () => {
    await using _lock = await lockKeeping(directory);
    await endKeeper(directory);
    await changeState(directory, { phase: 'destroying' });
  });
  await attempt(async () => {
    const plan = await directory.plan();
    if (plan?.request.container === undefined) return;
    await Promise.all(plan.nodes.map((node) => attempt(() => endContainer(plan, node, directory))));
  });
  for (const node of await directory.nodes()) await attempt(() => endKept(node));
  await attempt(async () => {
    const plan = await directory.plan();
    const lan = plan === undefined ? undefined : lanOf(plan);
    if (lan !== undefined) await removeNetwork(lan);
  });
  await attempt(async () => {
    for (const context of (await readState(directory)).contexts) await removeContext(context);
  });
  if (logsArchive !== undefined) await attempt(() => archiveLogs(directory, logsArchive));
  if (left.length > 0 && !force) throw new ClusterError('ERR_CLUSTER_LEFT', left.join('; '));
  // The plan goes last: until then another destroy knows what is left.
  for (const name of ['nodes', 'lan', 'secrets'])
    await rm(join(directory.path, name), { recursive: true, force: true });
  await rm(directory.path, { recursive: true, force: true });
  if (left.length > 0)
    throw new ClusterError('ERR_CLUSTER_LEFT', `${left.join('; ')}; its directory is gone`);
}

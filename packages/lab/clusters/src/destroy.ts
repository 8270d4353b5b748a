import { removeNetwork } from '@nodecore/lan';
import { endKept } from '@nodecore/machine/kept';
import { codeOf } from '@nodecore/sys';

import { endContainer } from './container/end-container.ts';
import { removeContext } from './contexts.ts';
import type { ClusterDirectory } from './directory.ts';
import { ClusterError } from './errors.ts';
import { endSession } from './keeper/session.ts';
import { endKeeper } from './keeper/start.ts';
import { lockKeeping } from './lock.ts';
import { archiveLogs, requireArchivePlace } from './logs-archive.ts';
import { originalOf, removePlace, requireCluster, requireOwner } from './place.ts';
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
 * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`; `ERR_CLUSTER_STATE` for one of another user, and for a directory that is no cluster's; `ERR_CLUSTER_LEFT` with all that stays, and the directory with it.
 */
export async function destroyCluster(
  directory: ClusterDirectory,
  { force = false, logsArchive }: DestroyOptions = {},
): Promise<void> {
  if (!(await directory.exists())) throw await directory.notFound();
  await requireOwner(directory.path);
  await requireCluster(directory.path);
  if ((await originalOf(directory.path)) !== undefined) return await removePlace(directory.path);
  if (logsArchive !== undefined && !force) await requireArchivePlace(directory, logsArchive);
  const left: string[] = [];
  const note = (error: unknown): undefined => {
    left.push(error instanceof Error ? error.message : String(error));
  };
  // Until it is gone: who wants to start a keeper waits, and finds no cluster.
  const lock = await lockKeeping(directory).catch(note);
  try {
    if (!(await directory.exists())) return; // another process has taken it away meanwhile
    await takeAway(directory, (work) => work().catch(note));
    if (logsArchive !== undefined) await archiveLogs(directory, logsArchive).catch(note);
    if (left.length > 0 && !force) throw new ClusterError('ERR_CLUSTER_LEFT', left.join('; '));
    await removePlace(directory.path);
  } finally {
    await lock?.[Symbol.asyncDispose]();
  }
  if (left.length > 0)
    throw new ClusterError('ERR_CLUSTER_LEFT', `${left.join('; ')}; its directory is gone`);
}

/** All but its directory. @param attempt what can't be taken away keeps nothing else. */
async function takeAway(
  directory: ClusterDirectory,
  attempt: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  // The keeper first: it switches machines on again, and makes what is not there yet. None is started from here on.
  await attempt(async () => {
    const keeper = await endKeeper(directory);
    if (keeper !== undefined) await endSession(keeper); // a program that it had forked would make a network that is gone by then
    await changeState(directory, { phase: 'destroying' }).catch((error: unknown) => {
      // A full disk is a reason to destroy a cluster. Where this is killed, who looks at the cluster keeps it on.
      if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')) throw error;
    });
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
}

import { removeNetwork } from '@nodecore/lan';
import { runsKept } from '@nodecore/machine/kept';
import { codeOf } from '@nodecore/sys';

import type { ClusterDirectory } from './directory.ts';
import { ClusterError } from './errors.ts';
import { callKeeper } from './keeper/client.ts';
import { endKeeper, runningKeeper, startKeeper } from './keeper/start.ts';
import { lockKeeping } from './lock.ts';
import { requireOwn } from './place.ts';
import { lanOf } from './plan.ts';
import { changeState, readState } from './state.ts';

/** Which machines, and who hears of what happens; without names all of them. */
export type PowerOptions = {
  /** Names or addresses. */
  readonly nodes?: readonly string[] | undefined;
  readonly onStatus?: (line: string) => void;
  readonly signal?: AbortSignal;
};

/**
 * Starts the keeper of a cluster anew when it was killed: it takes over the machines that run, and their network. Nothing
 * happens when it runs, or no machine does.
 *
 * @param cache directory of images.
 * @returns whether the cluster had lost its keeper.
 */
export async function keepCluster(directory: ClusterDirectory, cache: string): Promise<boolean> {
  const isLost = (await runningKeeper(directory)) === undefined && (await machineRuns(directory));
  if (!isLost || (await readState(directory)).phase === 'destroying') return false;
  await startKeeper(directory, cache);
  await callKeeper(directory, { method: 'keep' });
  return true;
}

/**
 * Switches on a cluster that was stopped, or was lost with its computer: the same plan, addresses, disks and TPMs.
 *
 * @param cache directory of images.
 * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`, also for a machine that it does not have; `ERR_CLUSTER_STATE` when it was
 * never finished.
 */
export async function startCluster(
  directory: ClusterDirectory,
  cache: string,
  { nodes, ...options }: PowerOptions = {},
): Promise<void> {
  await directory.requirePlan();
  if (!(await readState(directory)).ready) {
    const next = `create it with the same flags, or osctl cluster destroy --name ${directory.name}`;
    throw new ClusterError('ERR_CLUSTER_STATE', `cluster ${directory.name} was never finished: ${next}`);
  }
  const start = async (): Promise<void> => {
    await startKeeper(directory, cache);
    await callKeeper(directory, { method: 'keep' }, options);
    await callKeeper(directory, { method: 'start', ...(nodes && { nodes }) }, options);
  };
  try {
    await start();
  } catch (error) {
    if (codeOf(error) !== 'ERR_CLUSTER_KEEPER' || !(await hasLostKeeper(directory))) throw error;
    await start(); // who was stopping the cluster had ended its keeper in between
  }
}

/** Whether nobody keeps it, once who ends its keeper has done so. */
async function hasLostKeeper(directory: ClusterDirectory): Promise<boolean> {
  if (!(await directory.exists())) return false;
  await using _lock = await lockKeeping(directory);
  return (await runningKeeper(directory)) === undefined;
}

/**
 * Presses the power buttons of a cluster's machines, and kills them after the grace. With all of them off the keeper and the
 * network go, too; what is stored stays.
 *
 * @param cache directory of images.
 * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`, also for a machine that it does not have.
 */
export async function stopCluster(
  directory: ClusterDirectory,
  cache: string,
  { nodes, graceMs, ...options }: PowerOptions & { readonly graceMs?: number } = {},
): Promise<void> {
  const plan = await directory.requirePlan();
  await requireOwn(directory.path);
  await keepCluster(directory, cache);
  if ((await runningKeeper(directory)) !== undefined) {
    const more = { ...(nodes && { nodes }), ...(graceMs !== undefined && { graceMs }) };
    await callKeeper(directory, { method: 'stop', ...more }, options);
  }
  if (nodes !== undefined || !(await directory.exists())) return;
  await using _lock = await lockKeeping(directory); // who starts it meanwhile waits, and gets a keeper and a network of its own
  if ((await machineRuns(directory)) || !(await retires(directory, options.signal))) return;
  await endKeeper(directory);
  const lan = lanOf(plan);
  if (lan !== undefined) await removeNetwork(lan);
  if ((await readState(directory)).ready) await changeState(directory, { phase: 'stopped' });
}

/** Whether the keeper has nothing to do any more: it may have been asked to start machines since they were off. */
async function retires(directory: ClusterDirectory, signal: AbortSignal | undefined): Promise<boolean> {
  if ((await runningKeeper(directory)) === undefined) return true;
  try {
    return (await callKeeper(directory, { method: 'retire' }, { ...(signal && { signal }) })) === true;
  } catch (error) {
    if (codeOf(error) === 'ERR_CLUSTER_KEEPER') return true; // it is gone, or of an earlier version
    throw error;
  }
}

/** Whether a machine of the cluster runs, with or without its keeper. */
export async function machineRuns(directory: ClusterDirectory): Promise<boolean> {
  const running = await Promise.all((await directory.nodes()).map((node) => runsKept(node)));
  return running.includes(true);
}

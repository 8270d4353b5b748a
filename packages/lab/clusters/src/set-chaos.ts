import { type ChaosChange, changeChaos } from './chaos.ts';
import type { ClusterDirectory } from './directory.ts';
import { callKeeper } from './keeper/client.ts';
import { keepCluster, machineRuns, type PowerOptions } from './life.ts';
import { chosenNodes } from './chosen-nodes.ts';

/**
 * Changes what happens to the frames of machines: at once where the cluster runs, else from its next start.
 *
 * @param cache directory of images.
 * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`; `ERR_CLUSTER_REQUEST`
 */
export async function setChaos(
  directory: ClusterDirectory,
  cache: string,
  change: ChaosChange,
  { nodes, ...options }: PowerOptions = {},
): Promise<void> {
  const plan = await directory.requirePlan();
  await keepCluster(directory, cache);
  if (await machineRuns(directory))
    await callKeeper(directory, { method: 'chaos', ...(nodes && { nodes }), ...change }, options);
  else await changeChaos(directory, plan, chosenNodes(plan, nodes), change);
}

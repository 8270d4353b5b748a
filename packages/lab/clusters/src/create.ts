import { randomBytes } from 'node:crypto';

import { ClusterDirectory } from './directory.ts';
import { ClusterError } from './errors.ts';
import { type ClusterPlan, makePlan, usualDoor } from './plan.ts';
import { freeDoor, preflightProblems } from './preflight.ts';
import type { ClusterRequest } from './request.ts';

/**
 * Plans a cluster on this computer, and stores the plan: from here on it is there, and can be destroyed.
 *
 * @param state parent of the clusters' directories.
 * @throws {ClusterError} `ERR_CLUSTER_PREFLIGHT` with all that this computer lacks; `ERR_CLUSTER_EXISTS`.
 */
export async function planCluster(
  request: ClusterRequest,
  state: string,
): Promise<{ readonly directory: ClusterDirectory; readonly plan: ClusterPlan }> {
  const directory = new ClusterDirectory(state, request.name);
  const problems = preflightProblems(request);
  if (problems.length > 0) throw new ClusterError('ERR_CLUSTER_PREFLIGHT', problems.join('\n'));
  const id = randomBytes(16).toString('hex');
  const addresses = makePlan(request, id).nodes.map(({ address }) => address);
  const doors = new Map(
    await Promise.all(addresses.map(async (address) => [address, await freeDoor(address)] as const)),
  );
  const plan = makePlan(request, id, (address) => doors.get(address) ?? usualDoor(address));
  await directory.make(plan);
  return { directory, plan };
}

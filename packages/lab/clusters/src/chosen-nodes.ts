import { ClusterError } from './errors.ts';
import type { ClusterPlan, PlannedNode } from './plan.ts';

/**
 * Machines of a cluster by their names or addresses; all of them without any.
 *
 * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` with the names of those that there are.
 */
export function chosenNodes(
  { nodes, request }: ClusterPlan,
  names: readonly string[] | undefined,
): readonly PlannedNode[] {
  if (names === undefined) return nodes;
  return names.map((text) => {
    const found = nodes.find(({ name, address, address6 }) => [name, address, address6].includes(text));
    if (found !== undefined) return found;
    const known = nodes.map(({ name }) => name).join(', ');
    throw new ClusterError(
      'ERR_CLUSTER_NOT_FOUND',
      `no machine ${text} in ${request.name}: there is ${known}`,
    );
  });
}

import { problems } from '@nodecore/machine';

import { ClusterError } from './errors.ts';
import { machineOf } from './machine-spec.ts';
import { makePlan } from './plan.ts';
import type { ClusterRequest } from './request.ts';

/**
 * A request whose machines there can be, before anything of them is made.
 *
 * @throws {ClusterError} `ERR_CLUSTER_REQUEST` with all that makes them impossible.
 */
export function withPossibleMachines(request: ClusterRequest): ClusterRequest {
  if (request.container !== undefined) return request;
  const plan = makePlan(request, '0'.repeat(32));
  const found = plan.nodes.flatMap((node) => {
    const shares = (node.shares ?? []).map((tag) => ({ tag, directory: '/' }));
    const spec = { ...machineOf(plan, node), ...(shares.length > 0 && { shares }) };
    return problems(spec).map((words) => `${node.name}: ${words}`);
  });
  if (found.length === 0) return request;
  throw new ClusterError('ERR_CLUSTER_REQUEST', found.join('\n'));
}

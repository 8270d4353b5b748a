import type { ClusterPlan } from './plan.ts';
import { urlHost } from './url-host.ts';

/** Where the orchestrator's API is: the address that the control plane shares, the gateway that balances, or the first node. */
export function orchEndpointOf({ lan, nodes: [first], request: { settings = {} } }: ClusterPlan): string {
  const balancer = settings.balancer === true ? lan?.gateway : undefined;
  const host = settings.vip ?? balancer ?? first?.address ?? '';
  return `https://${urlHost(host)}:${settings.controlPlanePort ?? 6443}`;
}

import { hostAddress, parseCidr } from '@nodecore/lan';

import type { ClusterPlan, PlannedNode } from './plan.ts';

/** The address of a node on the encrypted links, with the length of their network; undefined where there are none. */
export function wireguardAddress(
  { request }: Pick<ClusterPlan, 'request'>,
  { index }: Pick<PlannedNode, 'index'>,
): { readonly address: string; readonly length: number } | undefined {
  const cidr = parseCidr(request.settings?.wireguard ?? '');
  return cidr && { address: hostAddress(cidr, index + 1), length: cidr.length };
}

import { closAsn, type ClusterPlan, fabric, type PlannedNode } from '@nodecore/clusters';

import { document } from './document.ts';

/** What holds the addresses of a node, whichever of its cables is plugged in. */
const holder = 'dummy0';

/**
 * What a node with two cables to routers is told: its cables, known by their addresses; its own address, and the one that all of the
 * control plane hold; and to exchange routes over both cables with neighbours that have no numbers.
 */
export function closDocuments(
  { request, lan }: ClusterPlan,
  { type, address, links = [], ...node }: PlannedNode,
): readonly string[] {
  const { vip } = request.settings ?? {};
  const own = [address, ...(type === 'controlplane' && vip !== undefined ? [vip] : [])];
  const bfd = { transmitInterval: '300ms', receiveInterval: '300ms', detectMultiplier: 3 };
  const names = links.map((_, index) => `uplink${index}`);
  return [
    ...links.map(({ mac }, index) =>
      document('LinkAliasConfig', {
        name: names[index],
        selector: { match: `mac(link.permanent_addr) == ${JSON.stringify(mac)}` },
      }),
    ),
    ...names.map((name) => document('LinkConfig', { name, up: true, mtu: lan?.mtu })),
    document('DummyLinkConfig', {
      name: holder,
      addresses: own.map((each) => ({ address: `${each}/32` })),
    }),
    document('BGPInstanceConfig', {
      name: 'fabric',
      localASN: closAsn(node),
      routerID: address,
      routeSource: address,
      advertise: [holder],
      multipath: true,
      neighbors: names.map((link) => ({ link, peerASN: fabric.asn, bfd })),
    }),
  ];
}

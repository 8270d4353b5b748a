import type { ClusterPlan, PlannedNode } from '../plan.ts';
import { fabric } from './bird.ts';

/** Interfaces that are neighbours without numbers. */
const linkLocal = 'fe80::/10';

/** The autonomous system of a node: each is one of its own (RFC 6996 and RFC 4893: all of them fit). */
export function closAsn({ index }: Pick<PlannedNode, 'index'>): number {
  return fabric.asn + index;
}

/**
 * The configuration of BIRD as the router at the other end of both cables of every node. Neighbours have no numbers: a node learns of
 * the router by its advertisements, which name no default router, and is known by the cable that it is behind. Of each its own addresses
 * become routes, whatever it advertises, and it is told that everything is behind the router. Pure.
 */
export function closConfig({ lan, nodes, request }: ClusterPlan): string {
  const { gateway = '' } = lan ?? {};
  const { vip } = request.settings ?? {};
  const cables = nodes.flatMap((node) => (node.links ?? []).map(({ tap }) => ({ tap, node })));
  const names = cables.map(({ tap }) => `"${tap}"`).join(', ');
  return [
    'log stderr all;',
    `router id ${gateway};`,
    'protocol device { }',
    'protocol static announced { ipv4; route 0.0.0.0/0 blackhole; }',
    // The cables have no address that nodes could answer.
    `filter learned { if source != RTS_BGP then reject; krt_prefsrc = ${gateway}; accept; }`,
    'protocol kernel { ipv4 { import none; export filter learned; }; merge paths on; }',
    `protocol bfd { interface ${names} { interval 300 ms; multiplier 3; }; }`,
    'protocol radv {',
    `  interface ${names} { min ra interval 3; max ra interval 10; default lifetime 0; link mtu ${lan?.mtu}; };`,
    '}',
    ...cables.flatMap(({ tap, node }) => {
      const shared = node.type === 'controlplane' && vip !== undefined ? [vip] : [];
      const own = [node.address, ...shared].map((address) => `${address}/32`).join(', ');
      const name = tap.replaceAll('-', '_');
      return [
        `protocol bgp ${name} {`,
        `  local as ${fabric.asn};`,
        `  interface "${tap}";`,
        `  neighbor range ${linkLocal} as ${closAsn(node)};`,
        `  dynamic name "${name}_";`,
        '  bfd on;',
        `  ipv4 { extended next hop on; import where net ~ [ ${own} ]; export where proto = "announced"; next hop self; };`,
        '}',
      ];
    }),
    '',
  ].join('\n');
}

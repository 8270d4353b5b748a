import { isIPv6 } from 'node:net';
import { join } from 'node:path';

import type { ProgramSpec } from '@nodecore/lan';

import type { ClusterPlan } from '../plan.ts';

/** Numbers of the fabric and of its nodes (RFC 6996: private), and the network that it leads to. */
export const fabric = { asn: 65_000, nodeAsn: 65_001, network: '10.200.0.0/24' } as const;

/**
 * The configuration of BIRD as the router of the nodes: whoever in their network says to be of their system is a neighbour, what it
 * advertises becomes a route of the namespace, and it is told of the fabric's network. Pure.
 */
export function birdConfig(lan: NonNullable<ClusterPlan['lan']>): string {
  const networks = [lan, ...(lan.ipv6 === undefined ? [] : [lan.ipv6])];
  const id = networks.find(({ gateway }) => !isIPv6(gateway))?.gateway ?? '10.200.0.1';
  return [
    'log stderr all;',
    `router id ${id};`,
    'protocol device { }',
    `protocol static announced { ipv4; route ${fabric.network} blackhole; }`,
    ...networks.flatMap(({ cidr, gateway }) => {
      const family = isIPv6(gateway) ? 'ipv6' : 'ipv4';
      const told = family === 'ipv4' ? 'export where proto = "announced"; next hop self;' : 'export none;';
      return [
        `protocol kernel kernel_${family} { ${family} { import none; export where source = RTS_BGP; }; }`,
        `protocol bgp nodes_${family} {`,
        `  local ${gateway} as ${fabric.asn};`,
        `  neighbor range ${cidr} as ${fabric.nodeAsn};`,
        `  dynamic name "${family}_";`,
        `  ${family} { import all; ${told} };`,
        '}',
      ];
    }),
    '',
  ].join('\n');
}

/** How BIRD is started. @param program its path. @param directory of the network */
export function birdProgram(program: string, directory: string): ProgramSpec {
  const [config, pid] = [join(directory, 'bird.conf'), join(directory, 'bird.pid')];
  // A short name, as those of sockets are at most 107 bytes.
  const argv = [program, '-f', '-c', config, '-P', pid, '-s', join(directory, 'b.ctl')] as const;
  return { name: 'BIRD', argv, mark: config, log: join(directory, 'bgp.log'), ready: { file: pid } };
}

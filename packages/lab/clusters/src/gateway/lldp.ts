import { join } from 'node:path';

import type { ProgramSpec } from '@nodecore/lan';

import type { ClusterPlan } from '../plan.ts';
import { withOwnRun } from './own-run.ts';

/** What lldpd is told in place of what is in this computer's /etc. Pure. */
export function lldpConfig({ domain }: NonNullable<ClusterPlan['lan']>): string {
  return `configure system hostname gateway.${domain}\n`;
}

/**
 * How lldpd is started: on the cables of the nodes, each of which is a port of the switch.
 *
 * @param program its path. @param directory of the network
 */
export function lldpProgram(
  program: string,
  { nodes, request }: ClusterPlan,
  directory: string,
): ProgramSpec {
  const [socket, config] = [join(directory, 'l.ctl'), join(directory, 'lldp.conf')];
  const ports = nodes.flatMap(({ tap, links }) => links?.map((each) => each.tap) ?? [tap]).join(',');
  const about = ['-S', `network of the cluster ${request.name}`];
  const argv = withOwnRun([program, '-d', '-u', socket, '-I', ports, '-O', config, ...about]);
  return { name: 'lldpd', argv, mark: config, log: join(directory, 'lldp.log'), ready: { file: socket } };
}

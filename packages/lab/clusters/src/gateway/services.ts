import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { InsideProgram, type Lan, type ProgramSpec } from '@nodecore/lan';
import { makeDirectory } from '@nodecore/sys';

import type { ClusterDirectory } from '../directory.ts';
import { ClusterError } from '../errors.ts';
import type { ClusterPlan } from '../plan.ts';
import { programPath } from '../programs.ts';
import { hasKeyServer } from '../volume-request.ts';
import type { GatewayService } from '../service-flags.ts';
import { closConfig } from './bird-clos.ts';
import { birdConfig, birdProgram } from './bird.ts';
import { ganeshaConfig, ganeshaProgram } from './ganesha.ts';
import { serveKeys } from './key-server.ts';
import { lldpConfig, lldpProgram } from './lldp.ts';

/** The programs of this computer, and the packages that they are of. */
const programs = {
  bgp: ['bird', 'bird2'],
  'bgp-clos': ['bird', 'bird2'],
  lldp: ['lldpd', 'lldpd'],
  nfs: ['ganesha.nfsd', 'nfs-ganesha and nfs-ganesha-vfs'],
} as const satisfies Readonly<Record<GatewayService, readonly [program: string, source: string]>>;

/** What this computer lacks for such services, in words. */
export function serviceProblems(
  services: readonly GatewayService[],
  find: (program: string) => string | undefined = programPath,
): readonly string[] {
  return services.flatMap((service) => {
    const [program, source] = programs[service];
    if (find(program) === undefined)
      return `the program ${program} is missing: --with-${service} needs it, install ${source}`;
    // One opens files by their handles, the other becomes another user: both are for root of the whole computer.
    const isRoots = service === 'lldp' || service === 'nfs';
    return isRoots && process.getuid?.() !== 0 ? `--with-${service}: needs root; use sudo` : [];
  });
}

/**
 * Starts the programs that serve the nodes at the gateway, the key server among them. They end with the result.
 *
 * @throws {ClusterError} `ERR_CLUSTER_PREFLIGHT` for one that is not there any more.
 * @throws {LanError} `ERR_LAN_COMMAND` for one that does not start; none runs then.
 */
export async function serveGateway(
  lan: Lan,
  plan: ClusterPlan,
  directory: ClusterDirectory,
  say: (line: string) => void,
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  if (hasKeyServer(plan.request)) stack.use(await serveKeys(lan, directory, say));
  for (const service of plan.request.services ?? [])
    stack.use(await InsideProgram.start(lan.namespace, await specOf(service, plan, directory), say));
  return stack.move();
}

async function specOf(
  service: GatewayService,
  plan: ClusterPlan,
  directory: ClusterDirectory,
): Promise<ProgramSpec> {
  const program = programPath(programs[service][0]);
  if (program === undefined || plan.lan === undefined)
    throw new ClusterError('ERR_CLUSTER_PREFLIGHT', serviceProblems([service]).join('\n'));
  if (service === 'lldp') {
    await writeFile(join(directory.lan, 'lldp.conf'), lldpConfig(plan.lan), { mode: 0o644 });
    return lldpProgram(program, plan, directory.lan);
  }
  if (service === 'bgp' || service === 'bgp-clos') {
    const config = service === 'bgp' ? birdConfig(plan.lan) : closConfig(plan);
    await writeFile(join(directory.lan, 'bird.conf'), config, { mode: 0o600 });
    return birdProgram(program, directory.lan);
  }
  const state = join(directory.lan, 'nfs');
  for (const path of [directory.shared, state]) await makeDirectory(path);
  const config = ganeshaConfig(plan.lan.gateway, { shared: directory.shared, state });
  await writeFile(join(directory.lan, 'nfs.conf'), config, { mode: 0o600 });
  return ganeshaProgram(program, directory.lan);
}

import { join } from 'node:path';

import { InsideProgram, type ProgramSpec } from './inside-program.ts';
import type { Namespace } from './namespace.ts';
import { thisComputer } from './preflight.ts';
import { familiesOf, type LanSpec } from './spec.ts';
import { way } from './uplink-commands.ts';

/** Whether anything shall lead out of a network, and can: it has IPv4, and this computer has the program. */
export function hasWayOut(spec: LanSpec): boolean {
  return spec.uplink === true && wayOutProblem(spec) === undefined;
}

/** Why nothing can lead out of a network, in words. */
export function wayOutProblem(spec: LanSpec): string | undefined {
  if (familiesOf(spec).ipv4 === undefined) return 'it has no addresses of IPv4';
  return thisComputer.hasProgram('pasta') ? undefined : 'the program pasta is missing: install passt';
}

/**
 * Has connections out of a network begin as this computer's own, by the program pasta; rules of the namespace say which. It is started
 * again when it ends.
 *
 * @throws {LanError} `ERR_LAN_COMMAND` when it does not start, as on a computer without a default route.
 */
export async function openWayOut(
  namespace: Namespace,
  spec: LanSpec,
  directory: string,
  say: (line: string) => void,
): Promise<InsideProgram> {
  const pid = join(directory, 'pasta.pid');
  const program: ProgramSpec = {
    name: 'pasta',
    argv: ['pasta', ...pastaFlags(spec.mtu), '--pid', pid],
    place: () => namespaceFlags(namespace),
    isOnHost: true,
    mark: pid,
    log: join(directory, 'pasta.log'),
    ready: { file: pid },
  };
  return await InsideProgram.start(namespace, program, say);
}

/** Nothing leads in, and no address inside is this computer's loopback. Pure. */
export function pastaFlags(mtu: number): readonly string[] {
  const lines = [
    `--foreground --ipv4-only --config-net --ns-ifname ${way.device} --mtu ${mtu}`,
    `--address ${way.address} --netmask ${way.bits} --gateway ${way.gateway}`,
    '--tcp-ports none --udp-ports none --tcp-ns none --udp-ns none',
    '--no-map-gw --no-dhcp --no-dhcpv6 --no-ndp --no-ra --dns none',
  ];
  return lines.flatMap((line) => line.split(' '));
}

function namespaceFlags(namespace: Namespace): readonly string[] {
  const { networkNamespace, userNamespace } = namespace.files();
  if (userNamespace !== undefined) return ['--userns', userNamespace, '--netns', networkNamespace];
  // Nobody, which it becomes otherwise, may not enter a namespace of root's. It keeps hardly a capability, and sees no files.
  return ['--runas', '0', '--netns-only', '--netns', networkNamespace];
}

import { isIPv4 } from 'node:net';

import { parseCidr6 } from '@nodecore/lan';
import { formatReference, OciError, parseImageName } from '@nodecore/oci';

import { ClusterError } from '../errors.ts';
import { usualNetwork } from '../family-flags.ts';
import { isClusterName } from '../cluster-name.ts';
import { type ClusterRequest, count, type MachineRequest, readCidr } from '../request.ts';
import { readMirror } from '../node-settings.ts';
import { readOrchVersion } from '../orch-flags.ts';
import { ownFactory } from '../factory-origin.ts';
import { parseBytes, parseShare } from '../units.ts';
import { readSource } from '../url-flag.ts';
import { registryScheme } from './parts.ts';
import { readMounts } from './read-mounts.ts';
import { readPorts } from './read-ports.ts';

/** Flags of a cluster of containers as they were typed, with their defaults. */
export type ContainerFlags = {
  readonly name: string;
  readonly subnet: string;
  readonly mtu: string;
  readonly controlplanes: string;
  readonly workers: string;
  readonly cpusControlplanes: string;
  readonly cpusWorkers: string;
  readonly memoryControlplanes: string;
  readonly memoryWorkers: string;
  readonly exposedPorts: readonly string[];
  readonly hostIp: string;
  /** A path or a URL; default of the factory of the checkout, which the keeper starts. */
  readonly image?: string;
  /** Of the factory's image. */
  readonly schematicId?: string;
  readonly osVersion: string;
  readonly mount: readonly string[];
  readonly orchVersion?: string;
  readonly registryMirror?: readonly string[];
};

const leastMib = 256;

/**
 * Reads the flags of a cluster of containers.
 *
 * @param runtime the program that runs them; undefined where there is none.
 * @throws {ClusterError} `ERR_CLUSTER_REQUEST` with all that is wrong.
 */
export function readContainerRequest(flags: ContainerFlags, runtime = '/usr/sbin/runc'): ClusterRequest {
  const problems: string[] = [];
  if (!isClusterName(flags.name))
    problems.push(`--name ${JSON.stringify(flags.name)}: small letters, digits and dashes, at most 40`);
  const controlplanes = count('--controlplanes', flags.controlplanes, 1, problems);
  const workers = count('--workers', flags.workers, 0, problems);
  // What doors listen at is counted from a network of IPv4 in any case.
  const ipv6 = parseCidr6(flags.subnet);
  if (ipv6 === undefined && flags.subnet.includes(':'))
    problems.push(`--subnet ${flags.subnet}: IPv6 CIDR of 64 bits expected, such as fd00:1::/64`);
  const subnet = flags.subnet.includes(':') ? usualNetwork : flags.subnet;
  const cidr = readCidr(subnet, controlplanes + workers, problems, '--subnet');
  const mtu = Number(flags.mtu);
  if (!(Number.isInteger(mtu) && mtu >= 1280 && mtu <= 9216))
    problems.push(`--mtu ${flags.mtu}: 1280 to 9216`);
  const machines = {
    controlplane: share(flags.cpusControlplanes, flags.memoryControlplanes, '-controlplanes', problems),
    worker: share(flags.cpusWorkers, flags.memoryWorkers, '-workers', problems),
  };
  if (!isIPv4(flags.hostIp)) problems.push(`--host-ip ${flags.hostIp}: an IPv4 address expected`);
  const ports = readPorts(flags.exposedPorts, flags.hostIp, problems);
  const mounts = readMounts(flags.mount, problems);
  const own = `${ownFactory}/image/${flags.schematicId}/${flags.osVersion}/initramfs-amd64.xz`;
  const root = flags.image === undefined ? own : imageOf(flags.image, problems);
  const version = readOrchVersion(flags.orchVersion, problems);
  const mirrors = (flags.registryMirror ?? []).flatMap((text) => readMirror(text, problems));
  if (problems.length > 0) throw new ClusterError('ERR_CLUSTER_REQUEST', problems.join('\n'));
  return {
    name: flags.name,
    cidr,
    ...(ipv6 !== undefined && { ipv6, withoutIpv4: true as const }),
    controlplanes,
    workers,
    machines,
    disks: [],
    presets: [],
    image: { root },
    schematic: '',
    version: flags.osVersion,
    factory: '',
    uefi: false,
    mtu,
    injection: 'environment',
    container: { runtime, mounts, ports },
    ...((version !== undefined || mirrors.length > 0) && {
      settings: {
        ...(version !== undefined && { orch: { version } }),
        ...(mirrors.length > 0 && { mirrors }),
      },
    }),
  };
}

function share(cpus: string, memory: string, suffix: string, problems: string[]): MachineRequest {
  const processors = parseShare(cpus);
  if (processors === undefined)
    problems.push(`--cpus${suffix} ${cpus}: such as 2.0 or 1/2, at least 0.01, with at most nine decimals`);
  const bytes = parseBytes(memory) ?? 0;
  if (bytes < leastMib * 2 ** 20) problems.push(`--memory${suffix} ${memory}: at least ${leastMib}MiB`);
  return { cpus: processors ?? 1, memoryMib: Math.floor(bytes / 2 ** 20) };
}

/** An absolute path: the keeper works in another directory. An image of a registry has its whole name. */
function imageOf(text: string, problems: string[]): string {
  if (text.startsWith(registryScheme)) return registryImageOf(text, problems);
  return readSource('--image', text, problems, `a path, a URL of http or https, or ${registryScheme}…`);
}

function registryImageOf(text: string, problems: string[]): string {
  try {
    return `${registryScheme}${formatReference(parseImageName(text.slice(registryScheme.length)))}`;
  } catch (error) {
    if (!(error instanceof OciError)) throw error;
    problems.push(`--image ${text}: ${error.message}`);
    return text;
  }
}

import { type Effects, hostAddress, parseCidr } from '@nodecore/lan';
import type { Accelerator, Forward } from '@nodecore/machine';

import { type BootImage, diskImage } from './boot-image.ts';
import { isClusterName } from './cluster-name.ts';
import type { ContainerParts } from './container/parts.ts';
import { type DiskRequest, readDisks, readShares, type ShareRequest } from './disks.ts';
import { ClusterError } from './errors.ts';
import type { Families } from './families.ts';
import type { ImageCacheRequest } from './image-cache-flags.ts';
import type { InjectionMethod } from './injection-method.ts';
import type { NodeSettings } from './node-settings.ts';
import { checkFleet, linkInjection, readFleet } from './fleet-flags.ts';
import type { GatewayService } from './service-flags.ts';
import { readOrchVersion } from './orch-flags.ts';
import { ownFactory } from './factory-origin.ts';
import { isSecure, type Preset, readPresets } from './presets.ts';
import { parseBytes, parseProcessors } from './units.ts';
import { readSource } from './url-flag.ts';
import { readEncryption } from './volume-flags.ts';
import type { UserVolume, VolumeEncryption } from './volume-request.ts';

/** Flags as they were typed, with their defaults. */
export type ClusterFlags = {
  readonly name: string;
  readonly cidr: string;
  readonly controlplanes: string;
  readonly workers: string;
  readonly cpusControlplanes: string;
  readonly cpusWorkers: string;
  readonly memoryControlplanes: string;
  readonly memoryWorkers: string;
  readonly disks: readonly string[];
  readonly presets: readonly string[];
  readonly schematicId: string;
  readonly osVersion: string;
  /** Default the factory of the checkout, which the keeper starts. */
  readonly imageFactoryUrl?: string;
  readonly fleetApiEndpoint?: string;
  readonly orchVersion?: string;
  /** URLs of services of this computer's loopback; for developers. */
  readonly gatewayServices?: readonly string[];
  /** A raw image in place of the factory's; for developers. */
  readonly diskImagePath?: string;
  /** Default true; for developers. */
  readonly withUefi?: boolean;
  /** For developers, as of their clusters. */
  readonly encryptState?: boolean;
  /** As well. */
  readonly encryptEphemeral?: boolean;
  readonly diskEncryptionKeyTypes?: readonly string[];
  /** Default as it is found to work; for developers. */
  readonly accelerator?: Accelerator;
};

/** What the machines of one type are made of. */
export type MachineRequest = { readonly cpus: number; readonly memoryMib: number };

/** A cluster as it is asked for: every value checked. */
export type ClusterRequest = Families & {
  readonly name: string;
  readonly controlplanes: number;
  readonly workers: number;
  readonly machines: { readonly controlplane: MachineRequest; readonly worker: MachineRequest };
  /** The first is the system disk of every machine, the others go to workers. */
  readonly disks: readonly DiskRequest[];
  readonly presets: readonly Preset[];
  readonly image: BootImage;
  readonly schematic: string;
  readonly version: string;
  /** `http://host:port`, without a path; a word of ours for the one that the keeper starts. */
  readonly factory: string;
  readonly uefi: boolean;
  /** The machines have a TPM; those with Secure Boot always do. */
  readonly tpm?: boolean;
  /** Default 2.0. */
  readonly tpmVersion?: '1.2' | '2.0';
  /** One machine alone on QEMU's own network, which needs no root; default a network of the cluster's. */
  readonly network?: 'user';
  /** More ports of that machine, besides its API's, and where this computer's loopback reaches them. */
  readonly forwards?: readonly Forward[];
  /** Default KVM where a kernel comes up with it, else emulation. */
  readonly accelerator?: Accelerator;
  /** The machines are named after their UUIDs. */
  readonly uuidNames?: boolean;
  /** Volumes of the user's own, which every machine has, each list on a disk of its own behind the shared ones. */
  readonly userVolumes?: readonly (readonly UserVolume[])[];
  /** What the volumes of the node are encrypted with. */
  readonly encryption?: VolumeEncryption;
  /** What is installed on blank disks; default what has booted says it itself, or the factory's. */
  readonly installImage?: string;
  /** Default over its API, in maintenance; containers get it in their environment. */
  readonly injection?: InjectionMethod | 'environment';
  /** The nodes are containers. */
  readonly container?: ContainerParts;
  /** More of the kernel's arguments, for an image with systemd-stub: the firmware tells them, unless what was installed is started. */
  readonly moreArguments?: readonly string[];
  /** The firmware tells no kernel what it is started with; what is told by QEMU itself still is. */
  readonly noStubArguments?: true;
  /** What on the system disk can be started goes before the kernel of this computer. */
  readonly disksFirst?: true;
  /** DHCP tells nobody what it is called. */
  readonly noDhcpNames?: true;
  /** What the gateway serves besides. */
  readonly services?: readonly GatewayService[];
  /** Nodes send what their kernel and services say to the keeper. */
  readonly jsonLogs?: boolean;
  /** No node is asked to install itself. */
  readonly skipsInstall?: boolean;
  /** How many of the disks every machine has; default the first. Workers have all. */
  readonly sharedDisks?: number;
  /** One directory of each tag for each machine. */
  readonly shares?: ShareRequest;
  /** Bytes; default 1500. */
  readonly mtu?: number;
  /** What the documents of its nodes say besides. */
  readonly settings?: NodeSettings;
  /** IPv4 addresses that DHCP names in place of the gateway's. */
  readonly nameservers?: readonly string[];
  /** No way leads out of its network but to what the keeper itself serves. */
  readonly airgapped?: true;
  /** Networks to which nothing leaves under this computer's address. */
  readonly noMasquerade?: readonly string[];
  /** A cache of this computer that is served to the nodes as a registry. */
  readonly imageCache?: ImageCacheRequest;
  /** The power of the machines is switched by IPMI, too. */
  readonly ipmi?: true;
  /** The power of the machines is switched by Redfish, too. */
  readonly redfish?: true;
  /** The disks get all of their blocks when they are made. */
  readonly preallocates?: true;
  /** More directories with UEFI firmware, behind the usual one. */
  readonly firmwarePaths?: readonly string[];
  /** What happens to the frames of every machine from the start, in both directions. */
  readonly chaos?: Effects;
  /** What else the machines are made of. */
  readonly hardware?: {
    readonly numaNodes?: number;
    readonly iommu?: boolean;
    /** Its clock when it is switched on, in ISO 8601. */
    readonly clock?: string;
  };
  /**
   * The machines are a fleet's: they dial it, and it says what they are. Its URL with the join token is a secret, this is its origin.
   */
  readonly fleet?: string;
  /** Origins of services of this computer's loopback that the nodes reach at the gateway, besides the factory and the fleet. */
  readonly outlets?: readonly string[];
};

/**
 * Reads the flags of a cluster.
 *
 * @throws {ClusterError} `ERR_CLUSTER_REQUEST` with all that is wrong.
 */
export function readRequest(flags: ClusterFlags): ClusterRequest {
  const problems: string[] = [];
  if (!isClusterName(flags.name))
    problems.push(`--name ${JSON.stringify(flags.name)}: small letters, digits and dashes, at most 40`);
  const controlplanes = count('--controlplanes', flags.controlplanes, 1, problems);
  const workers = count('--workers', flags.workers, 0, problems);
  const cidr = readCidr(flags.cidr, controlplanes + workers, problems);
  const machines = {
    controlplane: machine(
      flags.cpusControlplanes,
      flags.memoryControlplanes,
      ['--cpus-controlplanes', '--memory-controlplanes'],
      problems,
    ),
    worker: machine(flags.cpusWorkers, flags.memoryWorkers, ['--cpus-workers', '--memory-workers'], problems),
  };
  const shares = readShares(flags.disks, problems);
  const disks = readDisks(shares.disks, problems);
  if (shares.disks.length === 0) problems.push('--disks: at least the system disk');
  const presets = readPresets(flags.presets, problems);
  if (!/^[\da-f]{64}$/.test(flags.schematicId))
    problems.push(`--schematic-id ${flags.schematicId}: 64 hexadecimal digits`);
  if (!/^v\d+\.\d+\.\d+[-+.0-9A-Za-z]*$/.test(flags.osVersion))
    problems.push(`--os-version ${flags.osVersion}`);
  const { imageFactoryUrl: url } = flags;
  // What starts from a file of this computer needs none.
  const usual = flags.diskImagePath === undefined ? ownFactory : '';
  const factory = url === undefined ? usual : origin('--image-factory-url', url, problems);
  const fleet = readFleet(flags.fleetApiEndpoint, problems);
  const isTold = fleet !== undefined && !presets.includes('maintenance');
  if (isTold) checkFleet({ presets, uefi: flags.withUefi !== false }, problems);
  const orchVersion = readOrchVersion(flags.orchVersion, problems);
  const outlets = (flags.gatewayServices ?? []).map((text) => origin('--gateway-services', text, problems));
  if (flags.withUefi === false && isSecure(presets))
    problems.push('--with-uefi=false: Secure Boot is a part of UEFI');
  else if (flags.withUefi === false && !presets.includes('disk-image'))
    problems.push('--with-uefi=false: only a disk is started without UEFI');
  if (flags.diskImagePath !== undefined && !presets.includes('disk-image'))
    problems.push('--disk-image-path: give --presets disk-image');
  const encryption = readEncryption(
    {
      encryptState: flags.encryptState === true,
      encryptEphemeral: flags.encryptEphemeral === true,
      encryptUserVolumes: false,
      diskEncryptionKeyTypes: flags.diskEncryptionKeyTypes ?? ['uuid'],
      withTpm2: isSecure(presets),
    },
    problems,
  );
  if (encryption !== undefined && isSecure(presets))
    problems.push('--encrypt-…: with Secure Boot they are encrypted already');
  const image =
    flags.diskImagePath === undefined
      ? imageOf(flags, factory, presets)
      : diskImage(readSource('--disk-image-path', flags.diskImagePath, problems));
  if (problems.length > 0) throw new ClusterError('ERR_CLUSTER_REQUEST', problems.join('\n'));
  return {
    name: flags.name,
    cidr,
    controlplanes,
    workers,
    machines,
    disks,
    presets,
    image,
    schematic: flags.schematicId,
    version: flags.osVersion,
    factory,
    uefi: flags.withUefi !== false,
    ...(fleet !== undefined && { fleet }),
    ...(flags.accelerator !== undefined && { accelerator: flags.accelerator }),
    ...(isTold && { injection: linkInjection }),
    ...(outlets.length > 0 && { outlets }),
    ...(shares.tags.length > 0 && { shares: { tags: shares.tags } }),
    ...(encryption && { encryption }),
    ...(orchVersion !== undefined && { settings: { orch: { version: orchVersion } } }),
  };
}

function imageOf(
  { schematicId, osVersion }: ClusterFlags,
  factory: string,
  presets: readonly Preset[],
): BootImage {
  const name = `metal-amd64${isSecure(presets) ? '-secureboot' : ''}`;
  if (presets.includes('pxe')) return { pxe: `${factory}/pxe/${schematicId}/${osVersion}/${name}` };
  const place = `${factory}/image/${schematicId}/${osVersion}/${name}`;
  return presets.includes('disk-image') ? { url: `${place}.raw.zst` } : { iso: `${place}.iso` };
}

/** A number of a flag within bounds. */
export function count(flag: string, text: string, min: number, problems: string[]): number {
  const number = Number(text);
  if (/^\d{1,3}$/.test(text) && number >= min) return number;
  problems.push(
    /^\d+$/.test(text)
      ? `${flag} can't be ${number < min ? 'less' : 'more'} than ${number < min ? min : 999}`
      : `${flag} ${text}: a number`,
  );
  return min;
}

/** A network with room for the nodes. */
export function readCidr(text: string, nodes: number, problems: string[], flag = '--cidr'): string {
  const parsed = parseCidr(text);
  if (parsed === undefined) {
    problems.push(`${flag} ${text}: IPv4 CIDR expected, such as 10.5.0.0/24`);
    return text;
  }
  // The network, the gateway and the broadcast address are nobody's.
  const room = 2 ** (32 - parsed.length) - 3;
  if (room < nodes)
    problems.push(`${flag} ${text} has room for ${Math.max(room, 0)} nodes, not for ${nodes}`);
  return `${hostAddress(parsed, 0)}/${parsed.length}`;
}

/** @param flags the flags of processors and memory */
export function machine(
  cpus: string,
  memory: string,
  flags: readonly [string, string],
  problems: string[],
): MachineRequest {
  const processors = parseProcessors(cpus);
  if (processors === undefined) problems.push(`${flags[0]} ${cpus}: such as 2.0 or 1/2`);
  const bytes = parseBytes(memory);
  if (bytes === undefined || bytes < 512 * 2 ** 20) problems.push(`${flags[1]} ${memory}: at least 512MiB`);
  return { cpus: processors ?? 1, memoryMib: Math.floor((bytes ?? 0) / 2 ** 20) };
}

function origin(flag: string, text: string, problems: string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '') return url.origin;
  problems.push(
    `${flag} ${url?.username ? '(with a user in it)' : text}: scheme and host expected, such as http://127.0.0.1:8081`,
  );
  return '';
}

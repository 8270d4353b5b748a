import { isAbsolute } from 'node:path';

import { effectProblems, type Effects } from '@nodecore/lan';
import type { Accelerator } from '@nodecore/machine';
import { parsePrefix } from '@nodecore/sys';

import { type EffectFlags, readEffects } from './chaos-flags.ts';
import { checkClos } from './clos-flags.ts';
import { type DevImageFlags, readDevImage } from './dev-image.ts';
import { type ExtraDiskFlags, extraDisks, primaryDisks, type PrimaryDiskFlags } from './dev-disks.ts';
import { ClusterError } from './errors.ts';
import type { Families } from './families.ts';
import { readGatewayServices, type ServiceFlags, serviceNotes } from './service-flags.ts';
import { readFleet } from './fleet-flags.ts';
import { checkLinkAgent } from './link-flags.ts';
import { type FamilyFlags, readFamilies } from './family-flags.ts';
import { type ImageCacheFlags, readImageCache } from './image-cache-flags.ts';
import { type NodeSettingFlags, readNameservers, readNodeSettings } from './node-settings.ts';
import { type ClusterRequest, count, machine } from './request.ts';
import { isClusterName } from './cluster-name.ts';
import { checkPluginFlags, type PluginFlags, pluginNote } from './plugin-flags.ts';
import { readEncryption, readUserVolumes } from './volume-flags.ts';

/** The flags of a developer's cluster as they were typed, with their defaults. */
export type DevFlags = NodeSettingFlags &
  FamilyFlags &
  PrimaryDiskFlags &
  ExtraDiskFlags &
  PluginFlags &
  ServiceFlags &
  ImageCacheFlags &
  DevImageFlags & {
    readonly name: string;
    readonly arch: string;
    readonly airgapped: boolean;
    readonly nameservers: readonly string[];
    readonly diskPreallocate: boolean;
    readonly withRedfish: boolean;
    readonly withIpmi: boolean;
    readonly extraUefiSearchPaths: readonly string[];
    readonly controlplanes: string;
    readonly workers: string;
    readonly cpus: string;
    readonly cpusWorkers: string;
    readonly memory: string;
    readonly memoryWorkers: string;
    readonly extraDisksOnControlplanes: boolean;
    readonly installImage?: string;
    readonly skipUnattendedInstallConfig: boolean;
    /** A URL with a join token. */
    readonly fleetApiEndpoint?: string;
    /** Each is one disk: `name:size[:name:size]…`. */
    readonly userVolumes: readonly string[];
    readonly encryptState: boolean;
    readonly encryptEphemeral: boolean;
    readonly encryptUserVolumes: boolean;
    readonly diskEncryptionKeyTypes: readonly string[];
    readonly withTpm12: boolean;
    readonly withJsonLogs: boolean;
    readonly disableDhcpHostname: boolean;
    /** Destinations that would see the machines' own addresses. */
    readonly noMasqueradeCidrs: readonly string[];
    /** Which link the machines dial the fleet manager by; all are the same one. */
    readonly withLinkagent?: string;
    readonly withUuidHostnames: boolean;
    readonly mtu: string;
    readonly numaNodes: string;
    readonly withIommu: boolean;
    readonly badRtc: boolean;
    readonly withTpm2: boolean;
    readonly osVersion: string;
    /** Default as it is found to work. */
    readonly accelerator?: Accelerator;
    /** Without it the flags of the network's chaos are refused. */
    readonly withNetworkChaos: boolean;
    /** Milliseconds. */
    readonly withNetworkLatency?: number;
    /** Milliseconds. */
    readonly withNetworkJitter?: number;
    readonly withNetworkPacketLoss?: string;
    readonly withNetworkPacketCorrupt?: string;
    readonly withNetworkPacketReorder?: string;
    readonly withNetworkBandwidth?: string;
  };

/** Before anything was signed that a node trusts: the network's time and certificates must cope. */
const badClock = '2011-11-11T11:11:00Z';

/**
 * Reads the flags of a developer's cluster, which starts from a kernel or a disk image of this computer.
 *
 * @throws {ClusterError} `ERR_CLUSTER_REQUEST` with all that is wrong.
 */
export function readDevRequest(flags: DevFlags): ClusterRequest {
  const problems: string[] = [];
  if (!isClusterName(flags.name))
    problems.push(`--name ${JSON.stringify(flags.name)}: small letters, digits and dashes, at most 40`);
  const controlplanes = count('--controlplanes', flags.controlplanes, 1, problems);
  const workers = count('--workers', flags.workers, 0, problems);
  const families = readFamilies(flags, controlplanes + workers, problems);
  const machines = {
    controlplane: machine(flags.cpus, flags.memory, ['--cpus', '--memory'], problems),
    worker: machine(flags.cpusWorkers, flags.memoryWorkers, ['--cpus-workers', '--memory-workers'], problems),
  };
  const primary = primaryDisks(flags, problems);
  const extra = extraDisks(flags, problems);
  const mtu = Number(flags.mtu);
  if (!(Number.isInteger(mtu) && mtu >= 1280 && mtu <= 9216))
    problems.push(`--mtu ${flags.mtu}: 1280 to 9216`);
  const numaNodes = count('--numa-nodes', flags.numaNodes, 0, problems);
  if (numaNodes > 1 && extra.shares.length > 0)
    problems.push('--numa-nodes and virtiofs both decide where the memory of a machine is');
  for (const [type, { cpus, memoryMib }] of Object.entries(machines))
    if (numaNodes > 1 && (cpus % numaNodes !== 0 || memoryMib % numaNodes !== 0))
      problems.push(
        `--numa-nodes ${numaNodes}: ${cpus} processors and ${memoryMib} MiB of a ${type} don't divide into them`,
      );
  const chaos = chaosOf(flags, problems);
  const more = moreOf(flags, { ...families, nodes: controlplanes + workers }, problems);
  const userVolumes = readUserVolumes(flags.userVolumes, problems);
  const encryption = readEncryption(flags, problems);
  const fleet = readFleet(flags.fleetApiEndpoint, problems);
  checkLinkAgent(flags.withLinkagent, fleet, problems);
  if (fleet !== undefined && flags.withApplyConfig)
    problems.push(
      '--with-apply-config: not with --fleet-api-endpoint: over its API a node takes no link alone',
    );
  checkPluginFlags(flags, problems);
  checkClos(flags, flags.configInjectionMethod, problems);
  const start = readDevImage(flags, problems);
  const { image } = start;
  if (flags.withTpm12 && flags.withTpm2)
    problems.push('--with-tpm1_2 and --with-tpm2: a machine has one TPM');
  if (problems.length > 0) throw new ClusterError('ERR_CLUSTER_REQUEST', problems.join('\n'));
  return {
    name: flags.name,
    ...families,
    controlplanes,
    workers,
    machines,
    disks: [...primary, ...extra.disks],
    sharedDisks: primary.length + (flags.extraDisksOnControlplanes ? extra.disks.length : 0),
    ...(extra.shares.length > 0 && {
      shares: { tags: extra.shares, isForAll: flags.extraDisksOnControlplanes },
    }),
    presets:
      flags.skipInjectingConfig && !flags.withApplyConfig ? ['disk-image', 'maintenance'] : ['disk-image'],
    ...start,
    schematic: '',
    version: flags.osVersion,
    factory: '',
    uefi: flags.withUefi,
    mtu,
    ...more,
    ...(chaos && { chaos }),
    ...(fleet !== undefined && { fleet }),
    ...(flags.accelerator !== undefined && { accelerator: flags.accelerator }),
    tpm: flags.withTpm2 || flags.withTpm12,
    ...(flags.withTpm12 && { tpmVersion: '1.2' as const }),
    ...(flags.withUuidHostnames && { uuidNames: true }),
    ...(userVolumes.length > 0 && { userVolumes }),
    ...(encryption && { encryption }),
    ...(flags.withJsonLogs && { jsonLogs: true }),
    ...(flags.withBootloader && ('kernel' in image || 'uki' in image) && { disksFirst: true as const }),
    ...(flags.installImage !== undefined && { installImage: flags.installImage }),
    ...(flags.skipUnattendedInstallConfig && { skipsInstall: true }),
    hardware: {
      ...(numaNodes > 0 && { numaNodes }),
      ...(flags.withIommu && { iommu: true }),
      ...(flags.badRtc && { clock: badClock }),
    },
  };
}

/** What the network, the disks and the documents of the nodes are asked for besides. */
function moreOf(
  flags: DevFlags,
  room: Families & { readonly nodes: number },
  problems: string[],
): Partial<ClusterRequest> {
  if (flags.arch === 'arm64') problems.push('--arch arm64: this version makes machines of amd64 alone');
  else if (flags.arch !== 'amd64')
    problems.push(`--arch ${flags.arch}: unsupported arch, none of amd64, arm64`);
  const settings = readNodeSettings(flags, room, problems);
  const nameservers = readNameservers(flags.nameservers, room, problems);
  const imageCache = readImageCache(flags, problems);
  const services = readGatewayServices(flags, problems);
  for (const text of flags.noMasqueradeCidrs)
    if (parsePrefix(text) === undefined)
      problems.push(`--no-masquerade-cidrs ${text}: a network, such as 10.0.0.0/8`);
  if (imageCache?.port === (settings.controlPlanePort ?? 6443))
    problems.push(`--image-cache-port ${imageCache.port}: the orchestrator’s API is there`);
  for (const path of flags.extraUefiSearchPaths)
    if (!isAbsolute(path)) problems.push(`--extra-uefi-search-paths ${path}: an absolute path`);
  return {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(nameservers.length > 0 && { nameservers }),
    ...(flags.airgapped && { airgapped: true as const }),
    ...(flags.noMasqueradeCidrs.length > 0 && { noMasquerade: flags.noMasqueradeCidrs }),
    ...(flags.disableDhcpHostname && { noDhcpNames: true as const }),
    ...(services.length > 0 && { services }),
    ...(imageCache && { imageCache }),
    ...(flags.withRedfish && { redfish: true as const }),
    ...(flags.withIpmi && { ipmi: true as const }),
    ...(flags.diskPreallocate && { preallocates: true as const }),
    ...(flags.extraUefiSearchPaths.length > 0 && { firmwarePaths: flags.extraUefiSearchPaths }),
  };
}

function chaosOf(flags: DevFlags, problems: string[]): Effects | undefined {
  const prefix = '--with-network-';
  const given: EffectFlags = {
    ...(flags.withNetworkLatency !== undefined && { latency: flags.withNetworkLatency }),
    ...(flags.withNetworkJitter !== undefined && { jitter: flags.withNetworkJitter }),
    ...(flags.withNetworkPacketLoss !== undefined && { packetLoss: flags.withNetworkPacketLoss }),
    ...(flags.withNetworkPacketCorrupt !== undefined && { packetCorrupt: flags.withNetworkPacketCorrupt }),
    ...(flags.withNetworkPacketReorder !== undefined && { packetReorder: flags.withNetworkPacketReorder }),
    ...(flags.withNetworkBandwidth !== undefined && { bandwidth: flags.withNetworkBandwidth }),
  };
  const effects = readEffects(given, prefix, problems);
  if (effects.bandwidthKbit === 0 && flags.withNetworkBandwidth === '0')
    problems.push(`${prefix}bandwidth 0: kbit/s, more than none; leave it out for as much as comes`);
  if (flags.withNetworkChaos) {
    problems.push(...effectProblems(effects).map((words) => `${prefix}chaos: ${words}`));
    return effects;
  }
  if (Object.keys(given).length > 0)
    problems.push(`${prefix}…: nothing happens to frames without ${prefix}chaos`);
  return undefined;
}

/** What of the flags is accepted without an effect, or with half of one, a line each. */
export function devNotes(
  flags: PluginFlags & ServiceFlags & Pick<DevFlags, 'noMasqueradeCidrs'>,
): readonly string[] {
  const plugins = pluginNote(flags);
  return [
    ...serviceNotes(flags),
    ...(plugins === undefined ? [] : [plugins]),
    ...(flags.noMasqueradeCidrs.length === 0
      ? []
      : ['--no-masquerade-cidrs: nothing goes there, as what leaves has this computer’s address']),
  ];
}

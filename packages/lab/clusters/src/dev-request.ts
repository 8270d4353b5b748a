import { isAbsolute, resolve } from 'node:path';

import { commandLine } from '@nodecore/image';
import { effectProblems, type Effects } from '@nodecore/lan';

import { type EffectFlags, readEffects } from './chaos-flags.ts';
import { type ExtraDiskFlags, extraDisks, primaryDisks, type PrimaryDiskFlags } from './dev-disks.ts';
import { ClusterError } from './errors.ts';
import type { Families } from './families.ts';
import { type FamilyFlags, readFamilies } from './family-flags.ts';
import { type ImageCacheFlags, readImageCache } from './image-cache-flags.ts';
import { type InjectionMethod, injectionProblem } from './injection.ts';
import { type NodeSettingFlags, readNameservers, readNodeSettings } from './node-settings.ts';
import {
  type ClusterRequest,
  count,
  injectionMethods,
  isClusterName,
  isInstaller,
  machine,
  readFleet,
} from './request.ts';
import { readEncryption, readUserVolumes } from './volume-flags.ts';

/** The flags of a developer's cluster as they were typed, with their defaults. */
export type DevFlags = NodeSettingFlags &
  FamilyFlags &
  PrimaryDiskFlags &
  ExtraDiskFlags &
  ImageCacheFlags & {
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
    readonly vmlinuzPath: string;
    readonly initrdPath: string;
    readonly diskImagePath?: string;
    /** Before a stick, that before a UKI, and all before the kernel. */
    readonly isoPath?: string;
    readonly usbPath?: string;
    readonly ukiPath?: string;
    /** URL of a script, in place of all of them. */
    readonly ipxeBootScript?: string;
    readonly installImage?: string;
    readonly skipUnattendedInstallConfig: boolean;
    readonly skipInjectingConfig: boolean;
    readonly withApplyConfig: boolean;
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
    /** Empty: over the machine's API. */
    readonly configInjectionMethod: string;
    readonly withUuidHostnames: boolean;
    readonly extraBootKernelArgs?: string;
    readonly mtu: string;
    readonly numaNodes: string;
    readonly withIommu: boolean;
    readonly badRtc: boolean;
    readonly withTpm2: boolean;
    readonly withUefi: boolean;
    readonly osVersion: string;
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
  if ((flags.skipInjectingConfig || flags.withApplyConfig) && flags.configInjectionMethod !== '')
    problems.push('--config-injection-method: not with --skip-injecting-config or --with-apply-config');
  const image = imageOf(flags, problems);
  const injection = readInjection(flags.configInjectionMethod, { image, uefi: flags.withUefi }, problems);
  if (flags.withTpm12 && flags.withTpm2)
    problems.push('--with-tpm1_2 and --with-tpm2: a machine has one TPM');
  if (!flags.withUefi && (isInstaller(image) || 'uki' in image))
    problems.push('--with-uefi=false: a BIOS starts a kernel or a disk, and nothing else');
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
    image,
    schematic: '',
    version: flags.osVersion,
    factory: '',
    uefi: flags.withUefi,
    mtu,
    ...more,
    ...(chaos && { chaos }),
    ...(fleet !== undefined && { fleet }),
    tpm: flags.withTpm2 || flags.withTpm12,
    ...(flags.withTpm12 && { tpmVersion: '1.2' as const }),
    ...(flags.withUuidHostnames && { uuidNames: true }),
    ...(userVolumes.length > 0 && { userVolumes }),
    ...(encryption && { encryption }),
    ...(flags.withJsonLogs && { jsonLogs: true }),
    ...(injection && { injection }),
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
  if (imageCache?.port === (settings.controlPlanePort ?? 6443))
    problems.push(`--image-cache-port ${imageCache.port}: the orchestrator’s API is there`);
  for (const path of flags.extraUefiSearchPaths)
    if (!isAbsolute(path)) problems.push(`--extra-uefi-search-paths ${path}: an absolute path`);
  return {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(nameservers.length > 0 && { nameservers }),
    ...(flags.airgapped && { airgapped: true as const }),
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
  if (flags.withNetworkChaos) {
    problems.push(...effectProblems(effects).map((words) => `${prefix}chaos: ${words}`));
    return effects;
  }
  if (Object.keys(given).length > 0)
    problems.push(`${prefix}…: nothing happens to frames without ${prefix}chaos`);
  return undefined;
}

function readInjection(
  text: string,
  request: Pick<ClusterRequest, 'image' | 'uefi'>,
  problems: string[],
): InjectionMethod | undefined {
  const flag = `--config-injection-method ${text}`;
  if (text === '') return undefined;
  const method = injectionMethods.find((each) => each === text);
  if (method === undefined) problems.push(`${flag}: none of ${injectionMethods.join(', ')}`);
  const why = injectionProblem(method, request);
  if (why !== undefined) problems.push(`${flag}: ${why}`);
  return method;
}

/** `-name` among the arguments takes that one away. */
function imageOf(flags: DevFlags, problems: string[]): ClusterRequest['image'] {
  const { ipxeBootScript: pxe, isoPath: iso, usbPath: usb, ukiPath: uki } = flags;
  if (pxe !== undefined) {
    if (!/^https?:$/.test(URL.parse(pxe)?.protocol ?? ''))
      problems.push(`--ipxe-boot-script ${pxe}: http://… or https://… is expected`);
    return { pxe };
  }
  if (iso !== undefined) return { iso: pathOf(iso) };
  if (usb !== undefined) return { usb: pathOf(usb) };
  if (uki !== undefined) return { uki: resolve(pathOf(uki)) };
  if (flags.diskImagePath !== undefined) return { path: flags.diskImagePath };
  const words = (flags.extraBootKernelArgs ?? '').split(/\s+/).filter((word) => word !== '');
  const gone = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1));
  const added = ['console=ttyS0', ...words.filter((word) => !word.startsWith('-'))];
  const whole = commandLine({ platform: 'metal', extraArguments: added }).split(' ');
  const kept = whole.filter((word) => !gone.includes(word) && !gone.includes(word.split('=')[0] ?? ''));
  return { kernel: pathOf(flags.vmlinuzPath), initrd: pathOf(flags.initrdPath), arguments: kept.join(' ') };
}

function pathOf(text: string): string {
  return text.replaceAll('${ARCH}', 'amd64');
}

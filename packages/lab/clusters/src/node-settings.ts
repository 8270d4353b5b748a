import { isIP, isIPv4, isIPv6 } from 'node:net';

import { hostAddress, hostAddress6, parseCidr } from '@nodecore/lan';

import type { Families } from './families.ts';
import { type MemberFlags, type MemberSettings, readMembers } from './member-flags.ts';
import { type OrchFlags, type OrchSettings, readOrchSettings } from './orch-flags.ts';
import { apiPort, configurationPort, kmsPort, logSinkPort } from './ports.ts';

/** Where images of a registry are fetched. */
export type Mirror = { readonly registry: string; readonly url: string };

/** What the documents of every node say besides; nothing of it changes the machines themselves. */
export type NodeSettings = MemberSettings & {
  /** What becomes of packets that no rule of its firewall lets in. */
  readonly firewall?: 'accept' | 'block';
  /** An address that one node of the control plane has at a time. */
  readonly vip?: string;
  /** The network of the encrypted links between all nodes. */
  readonly wireguard?: string;
  /** In this order. */
  readonly mirrors?: readonly Mirror[];
  /** Registries whose certificates nobody looks at. */
  readonly unverifiedRegistries?: readonly string[];
  /** Services say more on the console. */
  readonly debug?: true;
  /** The first node of the control plane begins the kvstore by itself. */
  readonly initNode?: true;
  /** The gateway is the endpoint, and divides what comes among the control plane. */
  readonly balancer?: true;
  /** Default 6443. */
  readonly controlPlanePort?: number;
  /** By which clients reach the API of the nodes, in place of their doors; it is in their certificates. */
  readonly endpoint?: string;
  /** The control plane has no kvstore, and nothing is begun. */
  readonly noKvstore?: true;
  readonly orch?: OrchSettings;
  /** Nodes exchange routes with the gateway. */
  readonly bgp?: true;
  /** A kernel that runs starts no other: who loads kernels is this computer. */
  readonly noKexec?: true;
};

/** The flags of {@link NodeSettings} as they were typed. */
export type NodeSettingFlags = OrchFlags &
  MemberFlags & {
    readonly withFirewall?: string;
    readonly useVip: boolean;
    readonly initNodeAsEndpoint: boolean;
    readonly wireguardCidr?: string;
    readonly registryMirror: readonly string[];
    readonly registryInsecureSkipVerify: readonly string[];
    readonly withDebug: boolean;
    readonly withInitNode: boolean;
    readonly controlPlanePort: string;
    readonly endpoint?: string;
    readonly skipKvstoreOrch: boolean;
    readonly withBootloader: boolean;
    readonly withBgp: boolean;
    readonly withBgpClos: boolean;
  };

/** The host number of the address that control planes share. */
const vipHost = 50;

/** Those of the node's API, of who it trusts with certificates, of names, and of what the gateway serves. */
const otherPorts: readonly number[] = [apiPort, apiPort + 1, 53, logSinkPort, configurationPort, kmsPort];

/** What nodes are told, from flags; what is wrong with them goes to `problems`. @param cidr that was checked */
export function readNodeSettings(
  flags: NodeSettingFlags,
  { cidr, nodes, ...families }: Families & { readonly nodes: number },
  problems: string[],
): NodeSettings {
  const { withFirewall: firewall } = flags;
  if (firewall !== undefined && firewall !== 'accept' && firewall !== 'block')
    problems.push(`--with-firewall ${firewall}: accept or block`);
  if (flags.useVip && flags.initNodeAsEndpoint)
    problems.push('--use-vip and --init-node-as-endpoint: a cluster has one endpoint');
  const port = Number(flags.controlPlanePort);
  if (!/^\d{1,5}$/.test(flags.controlPlanePort) || port < 1 || port > 65_535)
    problems.push(`--control-plane-port ${flags.controlPlanePort}: 1 to 65535`);
  else if (otherPorts.includes(port))
    problems.push(`--control-plane-port ${port}: ${otherPorts.join(', ')} are others’`);
  if (flags.skipKvstoreOrch && flags.withInitNode)
    problems.push('--skip-kvstore-orch and --with-init-node: there is no kvstore to begin');
  if (flags.endpoint !== undefined && !isHost(flags.endpoint))
    problems.push(`--endpoint ${flags.endpoint}: an address or a name`);
  // A router has several ways to one address, so that all of the control plane hold it at once.
  const shares = flags.useVip || (flags.withBgpClos && !flags.initNodeAsEndpoint);
  const flag = flags.useVip ? '--use-vip' : '--with-bgp-clos';
  const vip = shares ? vipOf({ cidr, ...families }, nodes, flag, problems) : undefined;
  const wireguard = readWireguard(flags.wireguardCidr, { cidr, nodes }, problems);
  const mirrors = flags.registryMirror.flatMap((text) => readMirror(text, problems));
  for (const registry of flags.registryInsecureSkipVerify)
    if (!isRegistry(registry))
      problems.push(`--registry-insecure-skip-verify ${registry}: host or host:port`);
  const orch = readOrchSettings(flags, port, problems);
  return {
    ...((firewall === 'accept' || firewall === 'block') && { firewall }),
    ...(vip !== undefined && { vip }),
    ...(wireguard !== undefined && { wireguard }),
    ...(mirrors.length > 0 && { mirrors }),
    ...(flags.registryInsecureSkipVerify.length > 0 && {
      unverifiedRegistries: [...new Set(flags.registryInsecureSkipVerify)],
    }),
    ...(flags.withDebug && { debug: true as const }),
    ...(flags.withInitNode && { initNode: true as const }),
    ...(!shares && !flags.initNodeAsEndpoint && { balancer: true as const }),
    ...(port !== 6443 && { controlPlanePort: port }),
    ...(flags.endpoint !== undefined && { endpoint: flags.endpoint }),
    ...(flags.skipKvstoreOrch && { noKvstore: true as const }),
    ...(orch && { orch }),
    ...readMembers(flags, problems),
    ...(flags.withBgp && { bgp: true as const }),
    ...(!flags.withBootloader && { noKexec: true as const }),
  };
}

function vipOf(
  { cidr, ipv6, withoutIpv4 }: Families,
  nodes: number,
  flag: string,
  problems: string[],
): string | undefined {
  const parsed = parseCidr(cidr);
  if (parsed === undefined) return undefined;
  if (2 ** (32 - parsed.length) - 2 < vipHost) problems.push(`${flag}: ${cidr} has no host ${vipHost}`);
  // Nodes have the hosts from 2 on.
  if (nodes + 2 > vipHost) problems.push(`${flag}: host ${vipHost} is one of the ${nodes} nodes`);
  return withoutIpv4 === true && ipv6 !== undefined
    ? hostAddress6(ipv6, vipHost)
    : hostAddress(parsed, vipHost);
}

function readWireguard(
  text: string | undefined,
  { cidr, nodes }: { readonly cidr: string; readonly nodes: number },
  problems: string[],
): string | undefined {
  if (text === undefined) return undefined;
  const parsed = parseCidr(text);
  if (parsed === undefined || parsed.length > 30) {
    problems.push(`--wireguard-cidr ${text}: IPv4 CIDR expected, such as 10.1.0.0/24`);
    return undefined;
  }
  const room = 2 ** (32 - parsed.length) - 3;
  if (room < nodes) problems.push(`--wireguard-cidr ${text} has room for ${room} nodes, not for ${nodes}`);
  const outer = parseCidr(cidr);
  if (outer !== undefined) {
    const shorter = { length: Math.min(outer.length, parsed.length) };
    if (hostAddress({ ...outer, ...shorter }, 0) === hostAddress({ ...parsed, ...shorter }, 0))
      problems.push(`--wireguard-cidr ${text}: overlaps the network ${cidr} of the machines`);
  }
  return `${hostAddress(parsed, 0)}/${parsed.length}`;
}

/** What is wrong goes to `problems`. */
export function readMirror(text: string, problems: string[]): readonly Mirror[] {
  const [, registry = '', url = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const parsed = URL.parse(url);
  const isUrl = parsed !== null && /^https?:$/.test(parsed.protocol);
  if (isUrl && parsed.username === '' && parsed.password === '' && (registry === '*' || isRegistry(registry)))
    return [{ registry, url }];
  const shown = parsed?.username || parsed?.password ? `${registry}=(with a user in it)` : text;
  problems.push(`--registry-mirror ${shown}: <registry host>=http(s)://… is expected`);
  return [];
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text);
}

function isRegistry(text: string): boolean {
  return /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/.test(text);
}

/** Servers of names that DHCP tells machines; what is wrong with them goes to `problems`. */
export function readNameservers(
  texts: readonly string[],
  { ipv6, withoutIpv4 }: Families,
  problems: string[],
): readonly string[] {
  for (const text of texts)
    if (isIP(text) === 0) problems.push(`--nameservers ${text}: an address`);
    else if (isIPv6(text) && ipv6 === undefined)
      problems.push(`--nameservers ${text}: the network is of IPv4 alone`);
    else if (isIPv4(text) && withoutIpv4 === true)
      problems.push(`--nameservers ${text}: the network is of IPv6 alone`);
  return texts;
}

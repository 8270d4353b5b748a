import { isDeepStrictEqual } from 'node:util';

import {
  type BalancerSpec,
  type Door,
  hostAddress,
  hostAddress6,
  type LanSpec,
  type Outlet,
  parseCidr,
  type SocketAddress,
} from '@nodecore/lan';
import type { DiskSpec } from '@nodecore/machine';

import { macOf, uuidOf } from './node-identity.ts';
import { apiPort } from './ports.ts';
import type { ClusterRequest } from './request.ts';
import { isClos } from './service-flags.ts';
import type { UserVolume } from './volume-request.ts';
import { urlHost } from './url-host.ts';

/** What a node does in its cluster. */
export type NodeType = 'controlplane' | 'worker';

/** One machine of a cluster. */
export type PlannedNode = {
  /** From 1. */
  readonly index: number;
  readonly name: string;
  readonly type: NodeType;
  readonly uuid: string;
  readonly mac: string;
  readonly address: string;
  /** Of IPv6, beside that of IPv4. */
  readonly address6?: string;
  readonly tap: string;
  /** Its cables to the router, in place of the one to the network. */
  readonly links?: readonly { readonly tap: string; readonly mac: string }[];
  /** Name of the network namespace, the cgroup and the container of a node that is one. */
  readonly namespace?: string;
  /** Where the host reaches its API. */
  readonly door: SocketAddress;
  /** Where the host switches its power by IPMI (UDP). */
  readonly ipmi?: SocketAddress;
  readonly cpus: number;
  readonly memoryMib: number;
  /** The first holds the image at the beginning. */
  readonly disks: readonly DiskSpec[];
  /** Tags of directories of this computer that it mounts. */
  readonly shares?: readonly string[];
};

/**
 * All names, numbers and addresses of a cluster. It is stored before anything else is made, and never changed: who has it
 * can take the cluster away, however far it came. It holds no secret, but for what the query of a URL is that was given.
 */
export type ClusterPlan = {
  readonly layout: 1;
  /** 32 hexadecimal digits, random. */
  readonly id: string;
  readonly request: ClusterRequest;
  /** Absent where the machine is on QEMU's own network. */
  readonly lan?: Omit<LanSpec, 'hosts' | 'doors'>;
  readonly nodes: readonly PlannedNode[];
  /** Where the host switches their power by Redfish. */
  readonly redfish?: SocketAddress;
  /** Where the factory is that the keeper starts. */
  readonly factory?: SocketAddress;
};

/** QEMU's own network, which is the same for every machine on one. */
export const userNetwork = {
  cidr: '10.0.2.0/24',
  gateway: '10.0.2.2',
  address: '10.0.2.15',
  mtu: 1500,
} as const;

/**
 * Plans a cluster. Pure: the same request and id give the same plan.
 *
 * @param id 32 hexadecimal digits; two clusters with one name are told apart by it.
 * @param doorOf where the host reaches the node with this address of IPv4, whether the node has it or not; default {@link usualDoor}.
 */
export function makePlan(
  request: ClusterRequest,
  id: string,
  doorOf: (address: string) => SocketAddress = usualDoor,
): ClusterPlan {
  const cidr = parseCidr(request.cidr);
  if (cidr === undefined) throw new TypeError(`${request.cidr} is no IPv4 network`);
  const types: readonly NodeType[] = [
    ...Array.from({ length: request.controlplanes }, () => 'controlplane' as const),
    ...Array.from({ length: request.workers }, () => 'worker' as const),
  ];
  const nodes = types.map((type, at): PlannedNode => {
    const number = type === 'controlplane' ? at + 1 : at + 1 - request.controlplanes;
    const ordinary = `${request.name}-${type}-${number}`;
    // What a machine of a fleet is, its fleet says.
    const place = request.fleet === undefined ? ordinary : `${request.name}-machine-${at + 1}`;
    const uuid = uuidOf(id, place);
    const name = request.uuidNames === true ? `machine-${uuid}` : place;
    const own = addressesOf(request, at + 2);
    const shared = request.disks.slice(0, request.sharedDisks ?? 1);
    const disks = type === 'worker' ? request.disks : shared;
    const volumes = volumeDisks(request.userVolumes ?? [], at + 1);
    return {
      index: at + 1,
      name,
      type,
      uuid,
      mac: macOf(id, place, 0),
      ...own,
      tap: `tap${at + 1}-0`,
      ...(isClos(request) && {
        links: [0, 1].map((card) => ({ tap: `tap${at + 1}-${card}`, mac: macOf(id, place, card) })),
      }),
      ...(request.container !== undefined && { namespace: `os-${id.slice(0, 16)}-${at + 1}` }),
      door: doorOf(hostAddress(cidr, at + 2)),
      ...request.machines[type],
      disks: [
        ...disks.map((disk, number) => ({ ...disk, serial: disk.serial ?? `${at + 1}-${number}` })),
        ...volumes,
      ],
      ...(sharesOf(request, type) && { shares: sharesOf(request, type) ?? [] }),
    };
  });
  if (request.network === 'user') return { layout: 1, id, request, nodes };
  const lan = {
    namespace: `os-${id.slice(0, 16)}`,
    ...networksOf(request),
    mtu: request.mtu ?? 1500,
    domain: `${request.name}.cluster.internal`,
    outlets: request.airgapped === true ? [] : outletsOf(request),
    ...(request.airgapped !== true && { uplink: true as const }),
    ...(request.noMasquerade !== undefined && { withoutMasquerade: request.noMasquerade }),
    ...(request.nameservers !== undefined && { nameservers: request.nameservers }),
    ...(request.settings?.orch?.dnsDomain !== undefined && { search: [request.settings.orch.dnsDomain] }),
    ...(request.noDhcpNames === true && { withoutDhcpNames: true as const }),
  };
  return { layout: 1, id, request, lan, nodes };
}

/** The networks of a cluster, with the first address of each for the gateway. */
function networksOf(request: ClusterRequest): Pick<LanSpec, 'cidr' | 'gateway' | 'ipv6'> {
  const { address, address6 } = addressesOf(request, 1);
  const { cidr, ipv6 = '', withoutIpv4 } = request;
  if (withoutIpv4 === true) return { cidr: ipv6, gateway: address };
  return {
    cidr,
    gateway: address,
    ...(address6 !== undefined && { ipv6: { cidr: ipv6, gateway: address6 } }),
  };
}

/** The n-th addresses of the networks of a cluster. */
function addressesOf(request: ClusterRequest, index: number): Pick<PlannedNode, 'address' | 'address6'> {
  if (request.network === 'user') return { address: userNetwork.address };
  const cidr = parseCidr(request.cidr);
  if (cidr === undefined) throw new TypeError(`${request.cidr} is no IPv4 network`);
  const address = hostAddress(cidr, index);
  if (request.ipv6 === undefined) return { address };
  const address6 = hostAddress6(request.ipv6, index);
  return request.withoutIpv4 === true ? { address: address6 } : { address, address6 };
}

function sharesOf({ shares }: ClusterRequest, type: NodeType): readonly string[] | undefined {
  return type === 'worker' || shares?.isForAll === true ? shares?.tags : undefined;
}

/** Of a disk beside its volumes: two partition tables, and where partitions begin. */
const besideBytes = 2 * 2 ** 20;

/** The serial of a disk with volumes of the user's own. */
export function volumeSerial(node: Pick<PlannedNode, 'index'>, number: number): string {
  return `${node.index}-volumes-${number}`;
}

function volumeDisks(lists: readonly (readonly UserVolume[])[], index: number): readonly DiskSpec[] {
  return lists.map((volumes, number) => ({
    driver: 'virtio',
    sizeBytes: volumes.reduce((sum, { sizeBytes }) => sum + sizeBytes, besideBytes * (volumes.length + 1)),
    serial: volumeSerial({ index }, number),
  }));
}

/** `127.A.B.C` for a node with any address that ends in `.A.B.C`: all of 127.0.0.0/8 is this computer. */
export function usualDoor(address: string): SocketAddress {
  return { address: address.replace(/^\d+/, '127'), port: apiPort };
}

/** The network of a planned cluster; undefined where it has none of its own. */
export function lanOf({ lan, nodes, request }: ClusterPlan): LanSpec | undefined {
  if (lan === undefined) return undefined;
  return {
    ...lan,
    hosts: nodes.map(({ name, mac, address, address6, tap, links, namespace }) => ({
      name,
      mac,
      address,
      ...(address6 !== undefined && { address6 }),
      tap,
      ...(links !== undefined && { links: links.map((each) => each.tap) }),
      ...(namespace !== undefined && { namespace }),
    })),
    doors: [
      ...nodes.map(({ door, address }) => ({ listen: door, target: { address, port: apiPort } })),
      ...exposedPorts(request, nodes[0]),
    ],
    ...(request.settings?.balancer === true && { balancers: [balancerOf(request, nodes)] }),
  };
}

/** Of the orchestrator's API. */
function balancerOf({ settings }: ClusterRequest, nodes: readonly PlannedNode[]): BalancerSpec {
  const port = settings?.controlPlanePort ?? 6443;
  const members = nodes.filter(({ type }) => type === 'controlplane');
  return { port, targets: members.map(({ address }) => ({ address, port })) };
}

/** Of the first control plane. */
function exposedPorts({ container }: ClusterRequest, first: PlannedNode | undefined): readonly Door[] {
  if (container === undefined || first === undefined) return [];
  return container.ports.map(({ address, hostPort, port, protocol }) => ({
    listen: { address, port: hostPort },
    target: { address: first.address, port },
    isPublic: true,
    ...(protocol !== undefined && { protocol }),
  }));
}

/** Services on this computer that the nodes reach at the same port of the gateway. */
function outletsOf(request: ClusterRequest): readonly Outlet[] {
  const { factory, fleet, outlets: more = [] } = request;
  const gateway = urlHost(addressesOf(request, 1).address);
  const outlets = new Map<number, Outlet>();
  for (const text of [factory, fleet, ...more]) {
    if (text === undefined || !URL.canParse(text)) continue;
    const { protocol, hostname, port: given } = new URL(text);
    const port = given === '' ? (protocol === 'http:' ? 80 : 443) : Number(given);
    // The gateway's is what such a service tells nodes, and itself is none of this computer's addresses.
    const address = hostname === 'localhost' || hostname === gateway ? '127.0.0.1' : hostname;
    if (isHere(address)) outlets.set(port, { port, target: { address, port } });
  }
  return [...outlets.values()];
}

function isHere(hostname: string): boolean {
  return hostname === 'localhost' || hostname.startsWith('127.');
}

/** `host:port` of the image factory as the nodes reach it: one on this computer's loopback at the gateway. */
export function factoryOf({
  request,
  lan,
  factory,
}: Pick<ClusterPlan, 'request' | 'lan' | 'factory'>): string {
  const own = lan?.outlets.find(({ target }) => isDeepStrictEqual(target, factory));
  if (lan !== undefined && own !== undefined) return `${urlHost(lan.gateway)}:${own.port}`;
  const { hostname, host, port } = new URL(request.factory);
  if (lan === undefined || !isHere(hostname)) return host;
  return port === '' ? urlHost(lan.gateway) : `${urlHost(lan.gateway)}:${port}`;
}

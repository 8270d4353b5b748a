import { isIPv4 } from 'node:net';

/** An address and a port. */
export type SocketAddress = { readonly address: string; readonly port: number };

/** Who is in the network: it gets this address by DHCP, under this name, when it asks with one of its cards. */
export type LanHost = {
  readonly name: string;
  readonly mac: string;
  readonly address: string;
  /** The tap device of its network card; at most 15 letters, digits and dashes. */
  readonly tap: string;
  /** Name of a network namespace that the host is in, with its address; `tap` is then the end of its cable at the bridge. */
  readonly namespace?: string;
};

/** A way from the host into the network. */
export type Door = {
  /** Whoever reaches this computer may come in. */
  readonly isPublic?: true;
  /** Where the host listens; a loopback address, unless the door is public. */
  readonly listen: SocketAddress;
  /** In the network. */
  readonly target: SocketAddress;
  /** What it carries; default TCP. */
  readonly protocol?: 'udp';
};

/** A way from the network to a service of the host. */
export type Outlet = {
  /** Of the gateway's address. */
  readonly port: number;
  /** On the host; a loopback address. */
  readonly target: SocketAddress;
};

/** A port of the gateway whose connections are divided among hosts: each goes to the one with the fewest of those that take any. */
export type BalancerSpec = { readonly port: number; readonly targets: readonly SocketAddress[] };

/** A cluster's network as a value. */
export type LanSpec = {
  /** Name of the network namespace. */
  readonly namespace: string;
  /** Network and prefix length, such as `10.5.0.0/24`. */
  readonly cidr: string;
  /** Address of the bridge. */
  readonly gateway: string;
  /** Bytes; 1280 to 9216. */
  readonly mtu: number;
  /** DNS domain of the hosts. */
  readonly domain: string;
  readonly hosts: readonly LanHost[];
  readonly doors: readonly Door[];
  readonly outlets: readonly Outlet[];
  /** Default none. */
  readonly balancers?: readonly BalancerSpec[];
  /** Servers of names that DHCP tells, IPv4 addresses; default the gateway, which knows the hosts alone. */
  readonly nameservers?: readonly string[];
  /** URL of the script that iPXE, the program of the hosts' network cards, starts from. Default none. */
  readonly bootScript?: string;
};

/** What makes a network impossible, in words; empty when nothing does. */
export function lanProblems(spec: LanSpec): readonly string[] {
  const { address = '', length } = parseCidr(spec.cidr) ?? {};
  const found: string[] = [];
  if (length === undefined) return [`${spec.cidr} is no IPv4 network`];
  const inside = (text: string): boolean =>
    isIPv4(text) && networkOf(text, length) === networkOf(address, length);
  if (!inside(spec.gateway)) found.push(`gateway ${spec.gateway} is not in ${spec.cidr}`);
  if (!(Number.isInteger(spec.mtu) && spec.mtu >= 1280 && spec.mtu <= 9216)) found.push(`MTU ${spec.mtu}`);
  if (!/^[a-z0-9.-]{1,200}$/.test(spec.domain)) found.push(`domain ${spec.domain}`);
  for (const host of spec.hosts) {
    if (!/^[a-z0-9-]{1,63}$/.test(host.name)) found.push(`host name ${host.name}`);
    if (!/^[\da-f]{2}(:[\da-f]{2}){5}$/.test(host.mac)) found.push(`${host.name}: MAC ${host.mac}`);
    if (!inside(host.address)) found.push(`${host.name}: ${host.address} is not in ${spec.cidr}`);
    if (!/^[A-Za-z0-9-]{1,15}$/.test(host.tap)) found.push(`${host.name}: interface ${host.tap}`);
  }
  for (const key of ['name', 'mac', 'address', 'tap', 'namespace'] as const) {
    const values = spec.hosts.map((host) => host[key]).filter((value) => value !== undefined);
    if (new Set(values).size < values.length) found.push(`two hosts have one ${key}`);
  }
  for (const { listen, isPublic = false } of spec.doors)
    if (!isPublic && !listen.address.startsWith('127.'))
      found.push(`door ${listen.address} is not on loopback`);
  for (const { port, targets } of spec.balancers ?? [])
    for (const { address } of targets)
      if (!inside(address)) found.push(`balancer ${port}: ${address} is not in ${spec.cidr}`);
  for (const text of spec.nameservers ?? []) if (!isIPv4(text)) found.push(`server of names ${text}`);
  // A comma would end it in the server's configuration.
  if (spec.bootScript !== undefined && !/^http:\/\/[!-+\--~]{1,200}$/.test(spec.bootScript))
    found.push(`boot script ${spec.bootScript}`);
  for (const { target } of spec.outlets)
    if (!target.address.startsWith('127.')) found.push(`outlet to ${target.address}: not on loopback`);
  return found;
}

/** Address and prefix length of an IPv4 network; undefined when the text is none. */
export function parseCidr(text: string): { readonly address: string; readonly length: number } | undefined {
  const [address = '', bits = '', ...more] = text.split('/');
  const length = Number(bits);
  if (more.length > 0 || !isIPv4(address) || !/^\d{1,2}$/.test(bits) || length > 32) return undefined;
  return { address, length };
}

/** The n-th address of an IPv4 network; 0 is the network itself. */
export function hostAddress(
  cidr: { readonly address: string; readonly length: number },
  index: number,
): string {
  const number = (networkOf(cidr.address, cidr.length) + index) >>> 0;
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

/** The network's number of an address. */
export function networkOf(address: string, length: number): number {
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const mask = length === 0 ? 0 : (0xffff_ffff << (32 - length)) >>> 0;
  return (number & mask) >>> 0;
}

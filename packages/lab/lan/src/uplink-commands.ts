import { builtin } from '@nodecore/sys/pure';

import { hostAddress, parseCidr } from './cidr.ts';
import { hostAddress6 } from './ipv6.ts';
import { familiesOf, type LanSpec } from './spec.ts';

const crypto = builtin('node:crypto');

/** The two ends of the cable between a network and its host, and what is reached by it. */
export type Link = {
  /** What the host calls its end; inside it is {@link inside}. */
  readonly outside: string;
  /** One for each family of the network. */
  readonly families: readonly LinkFamily[];
};

type LinkFamily = {
  readonly keyword: 'ip' | 'ip6';
  readonly host: string;
  readonly inside: string;
  /** Bits of the two addresses' own network. */
  readonly bits: 31 | 127;
  /** The network that the host reaches over it. */
  readonly cidr: string;
};

/** What a network calls its own end. */
export const inside = 'up0';

/** By which packets leave for what this computer reaches. The addresses are of the namespace alone. */
export const way = { device: 'out0', address: '169.254.254.1', gateway: '169.254.254.2', bits: 30 } as const;

/** What never leaves: what is this computer's or its link's alone, as services of a cloud that know its computers by their address. */
const neverOut = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3'] as const;

/**
 * The cable of a network: the same each time for its namespace, another one for another. Its addresses of IPv4 are link-local ones, of
 * which computers in clouds have others than the first 168 networks. Pure.
 */
export function linkOf(spec: LanSpec): Link {
  const digest = crypto().createHash('sha256').update(`uplink ${spec.namespace}`).digest();
  const number = (digest.readUInt16BE(4) % (168 * 128)) * 2;
  const { ipv4, ipv6 } = familiesOf(spec);
  const families: LinkFamily[] = [];
  if (ipv4 !== undefined) {
    const [host = '', far = ''] = [0, 1].map((each) =>
      hostAddress({ address: '169.254.1.0', length: 24 }, number + each),
    );
    const parsed = parseCidr(ipv4.cidr) ?? { address: ipv4.gateway, length: 32 };
    const cidr = `${hostAddress(parsed, 0)}/${parsed.length}`;
    families.push({ keyword: 'ip', host, inside: far, bits: 31, cidr });
  }
  if (ipv6 !== undefined) {
    const groups = [6, 8, 10].map((at) => digest.readUInt16BE(at).toString(16));
    const [host = '', far = ''] = [2, 3].map((each) => hostAddress6(`fd6f:${groups.join(':')}::/64`, each));
    const cidr = `${hostAddress6(ipv6.cidr, 0)}/64`;
    families.push({ keyword: 'ip6', host, inside: far, bits: 127, cidr });
  }
  return { outside: outsideName(spec.namespace), families };
}

/** What the host calls its end of the cable of a network. */
export function outsideName(namespace: string): string {
  return `os${crypto().createHash('sha256').update(`uplink ${namespace}`).digest('hex').slice(0, 8)}`;
}

/** What `ip -batch` reads inside. @param pid a process of the host, which gets the other end; undefined when it has it. Pure. */
export function insideCommands({ outside, families }: Link, mtu: number, pid: number | undefined): string {
  const lines = [
    ...(pid === undefined
      ? []
      : [`link add ${inside} mtu ${mtu} type veth peer name ${outside} mtu ${mtu} netns ${pid}`]),
    `link set ${inside} addrgenmode none`,
    ...families.map(
      ({ keyword, inside: own, bits }) => `address replace ${own}/${bits} dev ${inside}${nodad(keyword)}`,
    ),
    `link set ${inside} up`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What `ip -batch` reads on the host. @param routed networks that have their route already. Pure. */
export function outsideCommands({ outside, families }: Link, routed: readonly string[]): string {
  const lines = [
    `link set ${outside} addrgenmode none`,
    ...families.map(
      ({ keyword, host, bits }) => `address replace ${host}/${bits} dev ${outside}${nodad(keyword)}`,
    ),
    `link set ${outside} up`,
    // Added and not replaced: somebody else's is never taken away.
    ...families
      .filter(({ cidr }) => !routed.includes(cidr))
      .map(
        ({ cidr, inside: gateway, host }) => `route add ${cidr} via ${gateway} dev ${outside} src ${host}`,
      ),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * What nft reads inside. The host begins connections, and who is in the network answers and begins none. What the host forwards
 * for others has not its address, and stays out. Hosts see the gateway's address, as they do through a door, and need no route. What
 * leaves for the world has the namespace's own address there.
 *
 * @param withoutMasquerade networks that would see another address, and to which nothing goes.
 * @param cables interfaces that hosts are behind. Pure.
 */
export function uplinkRules(
  { families }: Pick<Link, 'families'>,
  withoutMasquerade: readonly string[] = [],
  cables: readonly string[] = ['br0'],
): string {
  const kept = withoutMasquerade.flatMap((text) => {
    const parsed = parseCidr(text);
    return parsed === undefined ? [] : [`${hostAddress(parsed, 0)}/${parsed.length}`];
  });
  const fromHost = families.map(({ keyword, host }) => `${keyword} saddr ${host}`);
  const hosts =
    cables.length === 1 ? `"${cables[0]}"` : `{ ${cables.map((each) => `"${each}"`).join(', ')} }`;
  const neighbours = 'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept';
  return `table inet uplink
delete table inet uplink
table inet uplink {
  chain forward {
    type filter hook forward priority filter; policy drop;
    iifname ${hosts} oifname ${hosts} accept
    ct state established,related accept
${fromHost.map((each) => `    iifname "${inside}" oifname ${hosts} ${each} accept`).join('\n')}
${[...neverOut, ...kept].map((each) => `    oifname "${way.device}" ip daddr ${each} reject with icmpx admin-prohibited`).join('\n')}
    iifname ${hosts} oifname "${way.device}" accept
    reject with icmpx admin-prohibited
  }
  chain input {
    type filter hook input priority filter; policy accept;
    iifname != { "${inside}", "${way.device}" } accept
    ct state established,related accept
    ${neighbours}
${fromHost.map((each) => `    ${each} accept`).join('\n')}
    reject with icmpx admin-prohibited
  }
  chain output {
    type filter hook output priority filter; policy accept;
    oifname != "${inside}" accept
    ct state established,related accept
    ${neighbours}
    reject with icmpx admin-prohibited
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    oifname "${way.device}" masquerade
${fromHost.map((each) => `    oifname ${hosts} ${each} masquerade`).join('\n')}
  }
}
`;
}

function nodad(keyword: LinkFamily['keyword']): string {
  return keyword === 'ip6' ? ' nodad' : '';
}

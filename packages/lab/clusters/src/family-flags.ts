import { parseCidr, parseCidr6, ulaPrefix } from '@nodecore/lan';

import type { Families } from './families.ts';
import { readCidr } from './request.ts';

/** The flags of a network's families as they were typed. */
export type FamilyFlags = {
  /** One of IPv4 and one of IPv6 at most. */
  readonly cidr: readonly string[];
  readonly ipv4: boolean;
  readonly ipv6: boolean;
  readonly ipxeBootScript?: string;
};

/** Of IPv4, where nobody says otherwise. */
export const usualNetwork = '10.5.0.0/24';

/** The networks of a cluster, from flags; what is wrong with them goes to `problems`. Without one of IPv6 it is made of that of IPv4. */
export function readFamilies(
  { cidr: texts, ipv4, ipv6, ipxeBootScript }: FamilyFlags,
  nodes: number,
  problems: string[],
): Families {
  if (!ipv4 && !ipv6) problems.push('--ipv4, --ipv6: neither IPv4 nor IPv6 network was enabled');
  if (!ipv4 && ipxeBootScript !== undefined)
    problems.push('--ipxe-boot-script and --ipv4=false: machines start from the network by IPv4 alone');
  const sixes = texts.filter((text) => text.includes(':'));
  const fours = texts.filter((text) => !sixes.includes(text));
  if (fours.length > 1 || sixes.length > 1)
    problems.push(`--cidr ${texts.join(',')}: one network of IPv4 and one of IPv6 at most`);
  const cidr = readCidr(fours[0] ?? usualNetwork, nodes, problems);
  const [six] = sixes;
  if (six !== undefined && !ipv6) problems.push(`--cidr ${six}: give --ipv6`);
  if (six !== undefined && parseCidr6(six) === undefined)
    problems.push(`--cidr ${six}: IPv6 CIDR of 64 bits expected, such as fd00:1::/64`);
  if (!ipv6) return { cidr };
  const derived = parseCidr(cidr) === undefined ? undefined : `${ulaPrefix(cidr)}::/64`;
  const chosen = parseCidr6(six ?? derived ?? '');
  return {
    cidr,
    ...(chosen !== undefined && { ipv6: chosen }),
    ...(!ipv4 && { withoutIpv4: true as const }),
  };
}

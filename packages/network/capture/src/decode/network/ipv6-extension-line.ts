import { ipProtocolName } from '../names.ts';
import { hexNumber } from '../text.ts';
import type { Ipv6Fragment, Ipv6Options, Ipv6Other, Ipv6Routing } from './ipv6-extension.ts';

/** `HBH` or `DSTOPT`; from verbose 1 on with its options. */
export function ipv6OptionsLine({ protocol, options }: Ipv6Options, verbose: number): string {
  const name = protocol === 'ipv6-hop-by-hop' ? 'HBH' : 'DSTOPT';
  if (verbose === 0 || options.length === 0) return name;
  return `${name} (${options.map(({ name, value }) => `${name} ${value}`).join(', ')})`;
}

/** `srcrt (type 4, segleft 1, [2001:db8::1])`. */
export function ipv6RoutingLine({ type, segmentsLeft, addresses }: Ipv6Routing): string {
  const list = addresses.length === 0 ? '' : `, [${addresses.join(', ')}]`;
  return `srcrt (type ${type}, segleft ${segmentsLeft}${list})`;
}

/** `frag (0 +)`; from verbose 1 on with the identification. */
export function ipv6FragmentLine(fragment: Ipv6Fragment, verbose: number): string {
  const { fragmentOffset, moreFragments, identification } = fragment;
  const id = verbose === 0 ? '' : `${hexNumber(identification, 8)}:`;
  return `frag (${id}${fragmentOffset}${moreFragments ? ' +' : ''})`;
}

/** Name or number of the header, and its length. */
export function ipv6OtherLine({ header, length }: Ipv6Other): string {
  return `${ipProtocolName(header) ?? header}, length ${length}`;
}

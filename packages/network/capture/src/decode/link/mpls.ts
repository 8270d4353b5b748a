import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';

/** One entry of a label stack (RFC 3032). */
export type Mpls = {
  readonly protocol: 'mpls';
  readonly label: number;
  readonly trafficClass: number;
  readonly bottom: boolean;
  readonly ttl: number;
};

/** Reads one entry of the label stack; behind the last one the version of IP is guessed from its first bits. */
export function readMpls(bytes: Reader, packet: Dissection<Mpls>): void {
  if (!bytes.need(4)) return;
  const entry = bytes.u32();
  const bottom = (entry & 0x100) !== 0;
  packet.push({
    protocol: 'mpls',
    label: entry >>> 12,
    trafficClass: (entry >>> 9) & 7,
    bottom,
    ttl: entry & 0xff,
  });
  // The stack does not say what it carries; IP tells itself by its first half byte (RFC 4928).
  if (bottom) packet.next('ip', 0, bytes);
  else packet.next('etherType', 0x8847, bytes);
}

/** `MPLS (label 16, tc 0, [S], ttl 64)`. */
export function mplsLine({ label, trafficClass, bottom, ttl }: Mpls): string {
  return `MPLS (label ${label}, tc ${trafficClass}${bottom ? ', [S]' : ''}, ttl ${ttl})`;
}

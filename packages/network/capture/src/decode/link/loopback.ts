import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';

/** The header NULL: an address family in the byte order of the machine that captured. */
export type Loopback = { readonly protocol: 'null'; readonly family: number };

/** AF_INET is 2 everywhere; AF_INET6 is 10 on Linux, 24, 28 and 30 on the BSDs. */
const families: ReadonlyMap<number, number> = new Map([
  [2, 0x0800],
  [10, 0x86dd],
  [24, 0x86dd],
  [28, 0x86dd],
  [30, 0x86dd],
]);

/** Reads the address family before a packet of BSD's loopback, in the byte order of the machine that captured. */
export function readLoopback(bytes: Reader, packet: Dissection<Loopback>): void {
  if (!bytes.need(4)) return;
  const big = bytes.u32();
  const swapped = ((big << 24) | ((big & 0xff00) << 8) | ((big >>> 8) & 0xff00) | (big >>> 24)) >>> 0;
  const family = big > 0xffff ? swapped : big;
  packet.push({ protocol: 'null', family });
  packet.next('etherType', families.get(family) ?? 0, bytes);
}

/** `AF 2`. */
export function loopbackLine({ family }: Loopback): string {
  return `AF ${family}`;
}

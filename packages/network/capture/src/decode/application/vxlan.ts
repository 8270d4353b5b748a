import type { Dissection } from '../dissection.ts';
import { nshProtocols } from '../network/nsh.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** Virtual extensible LAN (RFC 7348). */
export type Vxlan = {
  readonly protocol: 'vxlan';
  readonly flags: number;
  /** 0 without the group policy extension. */
  readonly groupPolicy: number;
  readonly vni: number;
  /** What follows, with the generic protocol extension (draft-ietf-nvo3-vxlan-gpe). */
  readonly next?: number;
};

/** Transparent Ethernet bridging. */
const ethernet = 0x6558;

/** Reads the header of VXLAN; an Ethernet frame follows. */
export function readVxlan(bytes: Reader, packet: Dissection<Vxlan>): void {
  if (!bytes.need(8)) return;
  const flags = bytes.u8();
  bytes.skip(1);
  const groupPolicy = bytes.u16();
  const vni = bytes.u24();
  bytes.skip(1);
  packet.push({ protocol: 'vxlan', flags, groupPolicy, vni });
  packet.next('etherType', ethernet, bytes);
}

/** By the numbers of NSH, which are the extension's. */
export function readVxlanGpe(bytes: Reader, packet: Dissection<Vxlan>): void {
  if (!bytes.need(8)) return;
  const flags = bytes.u8();
  bytes.skip(2);
  const next = bytes.u8();
  const vni = bytes.u24();
  bytes.skip(1);
  packet.push({ protocol: 'vxlan', flags, groupPolicy: 0, vni, next });
  const etherType = nshProtocols.get(next);
  if (etherType === undefined) packet.next('none', 0, bytes);
  else packet.next('etherType', etherType, bytes);
}

/** `VXLAN, flags [I] (0x08), vni 10`. */
export function vxlanLine({ flags, vni }: Vxlan): string {
  const valid = (flags & 8) === 0 ? '.' : 'I';
  return `VXLAN, flags [${valid}] (${hexNumber(flags, 2)}), vni ${vni}`;
}

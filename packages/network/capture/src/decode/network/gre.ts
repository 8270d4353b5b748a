import type { Dissection } from '../dissection.ts';
import { etherTypeName } from '../names.ts';
import { type Erspan, readErspan } from './erspan.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** Generic routing encapsulation (RFC 2784, keys of RFC 2890, version 1 of PPTP, RFC 2637). */
export type Gre = {
  readonly protocol: 'gre';
  readonly version: number;
  /** An EtherType; 0x88be and 0x22eb are mirrored frames (ERSPAN). */
  readonly protocolType: number;
  readonly checksum?: number;
  readonly key?: number;
  readonly sequence?: number;
  readonly acknowledgment?: number;
  readonly length: number;
};

const pptp = 0x880b;
const erspan = 0x88be;

/** Reads the header with the fields that its flags announce; what follows is found by its EtherType. */
export function readGre(bytes: Reader, packet: Dissection<Erspan | Gre>): void {
  const length = bytes.wireLeft;
  if (!bytes.need(4)) return;
  const flags = bytes.u16();
  const protocolType = bytes.u16();
  const version = flags & 7;
  const routing = (flags & 0x4000) !== 0;
  const found: { checksum?: number; key?: number; sequence?: number; acknowledgment?: number } = {};
  if ((flags & 0x8000) !== 0 || routing) {
    found.checksum = bytes.u16();
    bytes.skip(2);
  }
  if ((flags & 0x2000) !== 0) found.key = bytes.u32();
  if ((flags & 0x1000) !== 0) found.sequence = bytes.u32();
  if (version === 1 && (flags & 0x80) !== 0) found.acknowledgment = bytes.u32();
  if (bytes.short) return;
  packet.push({ protocol: 'gre', version, protocolType, ...found, length });
  // RFC 2784 took routing entries away: what follows them is unknown.
  if (routing || version > 1) packet.next('none', 0, bytes);
  else if (protocolType === pptp) packet.next('ppp', -1, bytes);
  else if (protocolType === erspan) readErspan(bytes, packet, found.sequence !== undefined);
  else packet.next('etherType', protocolType, bytes);
}

/** `GREv0, key=0x10, proto IPv4, length 100`. */
export function greLine({ version, protocolType, key, sequence, length }: Gre): string {
  const keyText = key === undefined ? '' : `, key=${hexNumber(key)}`;
  const sequenceText = sequence === undefined ? '' : `, seq ${sequence}`;
  return `GREv${version}${keyText}${sequenceText}, proto ${etherTypeName(protocolType)}, length ${length}`;
}

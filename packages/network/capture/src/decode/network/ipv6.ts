import { sumWords } from '../checksum.ts';
import type { Dissection } from '../dissection.ts';
import { ipProtocolText } from '../names.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** Internet Protocol version 6 (RFC 8200). */
export type Ipv6 = {
  readonly protocol: 'ipv6';
  readonly dscp: number;
  readonly ecn: number;
  readonly flowLabel: number;
  /** As the header says; 0 in a jumbogram. */
  readonly payloadLength: number;
  readonly nextHeader: number;
  readonly hopLimit: number;
  readonly source: string;
  readonly destination: string;
};

/** Reads the fixed header; extension headers are protocols of their own. */
export function readIpv6(bytes: Reader, packet: Dissection<Ipv6>): void {
  if (!bytes.need(40)) return;
  const first = bytes.u32();
  if (first >>> 28 !== 6) return bytes.damage(`version ${first >>> 28}`);
  const payloadLength = bytes.u16();
  const nextHeader = bytes.u8();
  const hopLimit = bytes.u8();
  packet.addressSum = sumWords(bytes.bytes, bytes.at, bytes.at + 32);
  packet.destinationSum = sumWords(bytes.bytes, bytes.at + 16, bytes.at + 32);
  const source = bytes.ipv6();
  const destination = bytes.ipv6();
  packet.push({
    protocol: 'ipv6',
    dscp: (first >>> 22) & 0x3f,
    ecn: (first >>> 20) & 3,
    flowLabel: first & 0xfffff,
    payloadLength,
    nextHeader,
    hopLimit,
    source,
    destination,
  });
  packet.source = source;
  packet.destination = destination;
  packet.fragment = false;
  // RFC 2675: a jumbogram says 0, and its length in an option; the kernel also before segmentation.
  const jumbo = payloadLength === 0 && bytes.wireLeft > 0 && (nextHeader === 0 || nextHeader === 6);
  packet.next('ipProtocol', nextHeader, bytes.part(jumbo ? bytes.wireLeft : payloadLength, packet.quoted));
}

/** What verbose lines add: `(hlim 64, next-header TCP (6), payload length 40)`. */
export function ipv6Details(ip: Ipv6): string {
  const traffic = (ip.dscp << 2) | ip.ecn;
  const parts = [
    ...(traffic === 0 ? [] : [`class ${hexNumber(traffic, 2)}`]),
    ...(ip.flowLabel === 0 ? [] : [`flowlabel ${hexNumber(ip.flowLabel, 5)}`]),
    `hlim ${ip.hopLimit}`,
    `next-header ${ipProtocolText(ip.nextHeader)}`,
    `payload length ${ip.payloadLength}`,
  ];
  return `(${parts.join(', ')})`;
}

import { type ChecksumStatus, sumWords, verify } from '../checksum.ts';
import type { Dissection } from '../dissection.ts';
import { FragmentTable } from '../fragments.ts';
import { ipProtocolText } from '../names.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';
import type { Fragment } from './fragment.ts';
import { type Ipv4Option, ipv4OptionText, readIpv4Options } from './ipv4-options.ts';

/** Internet Protocol version 4 (RFC 791). */
export type Ipv4 = {
  readonly protocol: 'ipv4';
  readonly headerBytes: number;
  readonly dscp: number;
  readonly ecn: number;
  /** As the header says; 0 where the kernel leaves segmentation to the network card. */
  readonly totalLength: number;
  readonly identification: number;
  readonly dontFragment: boolean;
  readonly moreFragments: boolean;
  /** Bytes. */
  readonly fragmentOffset: number;
  readonly ttl: number;
  readonly protocolNumber: number;
  readonly checksum: number;
  readonly checksumStatus: ChecksumStatus;
  readonly source: string;
  readonly destination: string;
  readonly options?: readonly Ipv4Option[];
};

/** Reads the header; a fragment that is not the first has no transport, and gets the ports of the first. */
export function readIpv4(bytes: Reader, packet: Dissection<Fragment | Ipv4>): void {
  if (!bytes.need(20)) return;
  const start = bytes.at;
  const first = bytes.u8();
  const headerBytes = (first & 0xf) * 4;
  if (first >> 4 !== 4) return bytes.damage(`version ${first >> 4}`);
  if (headerBytes < 20) return bytes.damage(`header length ${headerBytes}`);
  const service = bytes.u8();
  const totalLength = bytes.u16();
  // A segment larger than the field can say, which the network card will cut (BIG TCP, segmentation offload).
  const length = totalLength === 0 ? bytes.wireLeft + 4 : totalLength;
  if (length < headerBytes) return bytes.damage(`total length ${totalLength}, header length ${headerBytes}`);
  const identification = bytes.u16();
  const fragment = bytes.u16();
  const fragmentOffset = (fragment & 0x1fff) * 8;
  const moreFragments = (fragment & 0x2000) !== 0;
  const ttl = bytes.u8();
  const protocolNumber = bytes.u8();
  const checksum = bytes.u16();
  packet.addressSum = sumWords(bytes.bytes, bytes.at, bytes.at + 8);
  const source = bytes.ipv4();
  const destination = bytes.ipv4();
  const whole = start + headerBytes <= bytes.end;
  const options = headerBytes === 20 ? undefined : readIpv4Options(bytes.slice(headerBytes - 20));
  packet.push({
    protocol: 'ipv4',
    headerBytes,
    dscp: service >> 2,
    ecn: service & 3,
    totalLength,
    identification,
    dontFragment: (fragment & 0x4000) !== 0,
    moreFragments,
    fragmentOffset,
    ttl,
    protocolNumber,
    checksum,
    checksumStatus: whole
      ? verify(sumWords(bytes.bytes, start, start + headerBytes), checksum, 0)
      : 'unverified',
    source,
    destination,
    ...(options === undefined ? {} : { options }),
  });
  packet.source = source;
  packet.destination = destination;
  packet.fragment = moreFragments || fragmentOffset > 0;
  const payload = bytes.part(length - headerBytes, packet.quoted || packet.fragment);
  if (fragmentOffset > 0) pushLater(packet, identification, protocolNumber, payload.wireLeft);
  else packet.next('ipProtocol', protocolNumber, payload);
  if (moreFragments && fragmentOffset === 0 && !packet.quoted) {
    packet.fragmentKey = FragmentTable.key(source, destination, identification, protocolNumber);
  }
}

/** A fragment that is not the first has no transport header: what it belongs to was in the first. */
export function pushLater(
  packet: Dissection<Fragment>,
  identification: number,
  protocolNumber: number,
  length: number,
): void {
  const key = FragmentTable.key(packet.source, packet.destination, identification, protocolNumber);
  packet.push({ protocol: 'fragment', protocolNumber, length, ...packet.fragments.find(key) });
}

/** What verbose lines add: `(tos 0x0, ttl 64, id 1, offset 0, flags [DF], proto TCP (6), length 60)`. */
export function ipv4Details(ip: Ipv4): string {
  const { dscp, ecn, ttl, identification, fragmentOffset } = ip;
  const flags = ip.dontFragment ? (ip.moreFragments ? '+, DF' : 'DF') : ip.moreFragments ? '+' : 'none';
  const checksum = ip.checksumStatus === 'bad' ? `, bad cksum ${hexNumber(ip.checksum, 4)}` : '';
  const options = ip.options === undefined ? '' : `, options (${ip.options.map(ipv4OptionText).join(',')})`;
  const tos = `tos ${hexNumber((dscp << 2) | ecn)}`;
  const name = ipProtocolText(ip.protocolNumber);
  const where = `id ${identification}, offset ${fragmentOffset}, flags [${flags}], proto ${name}`;
  return `(${tos}, ttl ${ttl}, ${where}, length ${ip.totalLength}${options}${checksum})`;
}

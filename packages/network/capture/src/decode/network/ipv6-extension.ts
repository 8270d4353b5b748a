import { sumWords } from '../checksum.ts';
import type { Dissection } from '../dissection.ts';
import { FragmentTable } from '../fragments.ts';
import type { Reader } from '../reader.ts';
import { hexNumber, hexText } from '../text.ts';
import type { Fragment } from './fragment.ts';
import { pushLater } from './ipv4.ts';

export type Ipv6Option = { readonly type: number; readonly name: string; readonly value: string };

/** Hop-by-hop and destination options (RFC 8200, sections 4.3 and 4.6); padding is left out. */
export type Ipv6Options = {
  readonly protocol: 'ipv6-hop-by-hop' | 'ipv6-destination';
  readonly nextHeader: number;
  readonly options: readonly Ipv6Option[];
};

/** A routing header: types 0, 2 (RFC 6275) and 4 (segment routing, RFC 8754) with their addresses. */
export type Ipv6Routing = {
  readonly protocol: 'ipv6-routing';
  readonly nextHeader: number;
  readonly type: number;
  readonly segmentsLeft: number;
  readonly addresses: readonly string[];
};

export type Ipv6Fragment = {
  readonly protocol: 'ipv6-fragment';
  readonly nextHeader: number;
  /** Bytes. */
  readonly fragmentOffset: number;
  readonly moreFragments: boolean;
  readonly identification: number;
};

/** Mobility (135), HIP (139) and Shim6 (140), by number and length. */
export type Ipv6Other = {
  readonly protocol: 'ipv6-extension';
  readonly header: number;
  readonly nextHeader: number;
  readonly length: number;
};

const optionNames: ReadonlyMap<number, string> = new Map([
  [0x04, 'tunnel encapsulation limit'],
  [0x05, 'router alert'],
  [0x26, 'quick start'],
  [0x31, 'IOAM'],
  [0x63, 'RPL'],
  [0xc2, 'jumbo payload'],
  [0xc9, 'home address'],
]);
const maxOptions = 32;

/** Reads the options that every router looks at. */
export function readHopByHop(bytes: Reader, packet: Dissection<Ipv6Options>): void {
  readOptions('ipv6-hop-by-hop', bytes, packet);
}

/** Reads the options for the destination. */
export function readDestination(bytes: Reader, packet: Dissection<Ipv6Options>): void {
  readOptions('ipv6-destination', bytes, packet);
}

function readOptions(
  protocol: Ipv6Options['protocol'],
  bytes: Reader,
  packet: Dissection<Ipv6Options>,
): void {
  if (!bytes.need(8)) return;
  const nextHeader = bytes.u8();
  const list = bytes.slice(bytes.u8() * 8 + 6);
  const options: Ipv6Option[] = [];
  while (list.wireLeft > 0 && options.length < maxOptions && list.need(1)) {
    const type = list.u8();
    if (type === 0) continue; // one byte of padding
    const value = list.take(list.u8());
    if (list.short) break;
    if (type !== 1)
      options.push({ type, name: optionNames.get(type) ?? hexNumber(type, 2), value: hexText(value) });
  }
  packet.push({ protocol, nextHeader, options });
  if (!list.short) packet.next('ipProtocol', nextHeader, bytes);
}

/** Reads the addresses that are still to be visited; the last one counts for checksums. */
export function readRouting(bytes: Reader, packet: Dissection<Ipv6Routing>): void {
  if (!bytes.need(8)) return;
  const nextHeader = bytes.u8();
  const value = bytes.slice(bytes.u8() * 8 + 6);
  const type = value.u8();
  const segmentsLeft = value.u8();
  value.skip(4);
  const start = value.at;
  const addresses: string[] = [];
  // A segment routing header says how many there are; behind them it has options.
  const most = type === 4 ? value.bytes[value.at - 4]! + 1 : type === 0 || type === 2 ? 0xff : 0;
  while (value.left >= 16 && addresses.length < most) addresses.push(value.ipv6());
  packet.push({ protocol: 'ipv6-routing', nextHeader, type, segmentsLeft, addresses });
  const final = type === 4 ? 0 : addresses.length - 1;
  // RFC 8200, section 8.1: the transport's checksum is over the last destination, not over the next.
  if (segmentsLeft > 0 && addresses.length > 0) {
    const last = start + final * 16;
    packet.addressSum += sumWords(value.bytes, last, last + 16) - packet.destinationSum;
  }
  packet.next('ipProtocol', nextHeader, bytes);
}

/** Reads the fragment header; of a fragment that is not the first no transport follows. */
export function readFragment(bytes: Reader, packet: Dissection<Fragment | Ipv6Fragment>): void {
  if (!bytes.need(8)) return;
  const nextHeader = bytes.u8();
  bytes.skip(1);
  const field = bytes.u16();
  const identification = bytes.u32();
  const fragmentOffset = field & 0xfff8;
  const moreFragments = (field & 1) === 1;
  packet.push({ protocol: 'ipv6-fragment', nextHeader, fragmentOffset, moreFragments, identification });
  // RFC 6946: a fragment that is all there is, is none.
  packet.fragment = moreFragments || fragmentOffset > 0;
  if (fragmentOffset > 0) return pushLater(packet, identification, nextHeader, bytes.wireLeft);
  if (moreFragments && !packet.quoted) {
    packet.fragmentKey = FragmentTable.key(packet.source, packet.destination, identification, nextHeader);
  }
  packet.next('ipProtocol', nextHeader, bytes.part(bytes.wireLeft, packet.quoted || packet.fragment));
}

/** Reads only the length of an extension header that has no code of its own, such as mobility. */
export function readOther(header: number, bytes: Reader, packet: Dissection<Ipv6Other>): void {
  if (!bytes.need(8)) return;
  const nextHeader = bytes.u8();
  const length = bytes.u8() * 8 + 8;
  bytes.slice(length - 2);
  packet.push({ protocol: 'ipv6-extension', header, nextHeader, length });
  packet.next('ipProtocol', nextHeader, bytes);
}

import type { Reader } from '../reader.ts';
import { hexNumber, hexText } from '../text.ts';

/** An option of neighbour discovery (RFC 4861, section 4.6; RFC 8106 for name servers). */
export type NeighbourOption = {
  readonly type: number;
  readonly name: string;
  readonly linkAddress?: string;
  readonly prefix?: string;
  readonly prefixLength?: number;
  /** Seconds. */
  readonly validLifetime?: number;
  readonly preferredLifetime?: number;
  readonly mtu?: number;
  readonly addresses?: readonly string[];
  readonly value?: string;
};

const names: ReadonlyMap<number, string> = new Map([
  [1, 'source link-address'],
  [2, 'destination link-address'],
  [3, 'prefix info'],
  [4, 'redirected header'],
  [5, 'mtu'],
  [14, 'nonce'],
  [24, 'route info'],
  [25, 'rdnss'],
  [31, 'dnssl'],
  [37, 'captive portal'],
  [38, 'pref64'],
]);
const maxOptions = 32;
const maxAddresses = 8;

/** Reads the options of neighbour discovery; one of length 0 damages the packet. */
export function readNeighbourOptions(bytes: Reader): readonly NeighbourOption[] {
  const options: NeighbourOption[] = [];
  while (bytes.wireLeft > 0 && options.length < maxOptions && bytes.need(2)) {
    const type = bytes.u8();
    const size = bytes.u8() * 8;
    // RFC 4861, section 4.6: nodes discard a packet that has an option of length 0.
    if (size === 0) {
      bytes.damage(`option ${type} of length 0`);
      break;
    }
    const value = bytes.slice(size - 2);
    options.push({ type, name: names.get(type) ?? hexNumber(type, 2), ...readValue(type, value) });
    if (value.short) break;
  }
  return options;
}

function readValue(type: number, value: Reader): Partial<NeighbourOption> {
  if ((type === 1 || type === 2) && value.wireLeft === 6) return { linkAddress: value.mac() };
  if (type === 3) {
    const prefixLength = value.u8();
    value.skip(1);
    const validLifetime = value.u32();
    const preferredLifetime = value.u32();
    value.skip(4);
    return { prefixLength, validLifetime, preferredLifetime, prefix: value.ipv6() };
  }
  if (type === 5) {
    value.skip(2);
    return { mtu: value.u32() };
  }
  if (type === 25) {
    value.skip(6);
    const addresses: string[] = [];
    while (value.left >= 16 && addresses.length < maxAddresses) addresses.push(value.ipv6());
    return { addresses };
  }
  return { value: hexText(value.take(value.left)) };
}

/** The name, with the prefix, address or number that it carries. */
export function neighbourOptionText(option: NeighbourOption): string {
  const { name, linkAddress, prefix, prefixLength, validLifetime, mtu, addresses, value } = option;
  if (prefix !== undefined) return `${name} ${prefix}/${prefixLength} valid ${validLifetime}s`;
  return `${name} ${linkAddress ?? mtu ?? addresses?.join(' ') ?? value ?? ''}`;
}

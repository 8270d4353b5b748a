import { builtin } from './builtin.ts';

const net = builtin('node:net');

/** An IP address without a zone. */
export type Address = {
  /** As it was written. */
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
  /** 32 or 128 bits. */
  readonly value: bigint;
};

/** A network, or an address with the size of its network: `10.0.0.1/8`. */
export type Prefix = {
  /** As it was written. */
  readonly text: string;
  readonly address: Address;
  readonly bits: number;
};

const width = { ipv4: 32, ipv6: 128 } as const;

/** An address of either family; undefined for anything else, also for one with a zone or with zeros in front. */
export function parseAddress(text: string): Address | undefined {
  const family = text.includes('%') ? 0 : net().isIP(text);
  if (family === 0) return undefined;
  return family === 4
    ? { text, family: 'ipv4', value: valueOf4(text) }
    : { text, family: 'ipv6', value: valueOf6(text) };
}

/** `address/bits`; undefined for anything else. */
export function parsePrefix(text: string): Prefix | undefined {
  const slash = text.indexOf('/');
  const [before, after] = [text.slice(0, Math.max(0, slash)), text.slice(slash + 1)];
  if (!/^(?:0|[1-9]\d{0,2})$/u.test(after)) return undefined;
  const address = parseAddress(before);
  const bits = Number(after);
  if (address === undefined || bits > width[address.family]) return undefined;
  return { text, address, bits };
}

/** Whether no bit is set behind the network: `10.0.0.0/8`, not `10.0.0.1/8`. */
export function isNetwork({ address, bits }: Prefix): boolean {
  return (address.value & ((1n << BigInt(width[address.family] - bits)) - 1n)) === 0n;
}

/** Whether all addresses of `inner` are in `outer`; an address alone is a network of one. */
export function contains(outer: Prefix, inner: Prefix | Address): boolean {
  const { address, bits } = 'bits' in inner ? inner : { address: inner, bits: width[inner.family] };
  if (address.family !== outer.address.family || bits < outer.bits) return false;
  const behind = BigInt(width[address.family] - outer.bits);
  return address.value >> behind === outer.address.value >> behind;
}

/** Whether two networks have an address in common. */
export function overlaps(one: Prefix, other: Prefix): boolean {
  return one.bits < other.bits ? contains(one, other) : contains(other, one);
}

/** Of a text that is one: digit by digit, as nothing of a configuration is read as often. */
function valueOf4(text: string): bigint {
  let value = 0;
  let part = 0;
  for (let index = 0; index < text.length; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit >= 0) part = part * 10 + digit;
    else {
      value = value * 256 + part;
      part = 0;
    }
  }
  return BigInt(value * 256 + part);
}

function valueOf6(text: string): bigint {
  const dotted = text.includes('.') ? /^(.*:)(\d+\.\d+\.\d+\.\d+)$/u.exec(text) : null;
  const tail = dotted === null ? 0n : valueOf4(dotted[2] ?? '');
  const whole =
    dotted === null ? text : `${dotted[1]}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [head = '', rest] = whole.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = rest === undefined || rest === '' ? [] : rest.split(':');
  const zeros = '0000'.repeat(8 - before.length - after.length);
  return BigInt(`0x${before.map(padded).join('')}${zeros}${after.map(padded).join('')}`);
}

function padded(part: string): string {
  return part.padStart(4, '0');
}

import type { Sample } from '../src/index.ts';
import type { Random } from './random.ts';

/** Packets that filters tell apart: of every protocol that the filters of filters.ts ask for, whole, cut and damaged. */
export function corpus(
  random: Random,
  count: number,
  link: 'EN10MB' | 'RAW' | 'LINUX_SLL2' | 'NULL',
  { whole = false }: { readonly whole?: boolean } = {},
): readonly Sample[] {
  return Array.from({ length: count }, () => {
    const { type, body } = network(random);
    const frame = framed(random, link, type, body);
    const bytes = whole ? Uint8Array.from(frame) : damage(random, frame);
    const isTagged = link === 'EN10MB' && random.oneIn(4);
    const vlan = isTagged ? { vlan: { tag: random.pick([0, 5, 100, 0x6064, random.below(65536)]) } } : {};
    const packetType = random.below(5);
    return { bytes, context: { ...vlan, protocol: type, packetType, interfaceIndex: 1 + random.below(4) } };
  });
}

function framed(random: Random, link: string, type: number, body: readonly number[]): readonly number[] {
  if (link === 'RAW') return body;
  if (link === 'NULL') return [...word(type === 0x86dd ? 0x0a000000 : 0x02000000, 4), ...body];
  if (link === 'LINUX_SLL2') {
    const rest = [...word(0, 2), ...word(1 + random.below(4), 4), ...word(1, 2), random.below(5), 6];
    return [...word(type, 2), ...rest, ...random.bytes(8), ...body];
  }
  const tags = Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, () => [
    ...word(random.pick([0x8100, 0x8100, 0x88a8]), 2),
    ...word(random.pick([5, 100, 0x6064, random.below(65536)]), 2),
  ]);
  return [...ethernetAddress(random), ...ethernetAddress(random), ...tags.flat(), ...word(type, 2), ...body];
}

function word(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, at) => (value >>> (8 * (size - 1 - at))) & 0xff);
}

function ethernetAddress(random: Random): readonly number[] {
  const last = random.below(4);
  return random.pick([
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0x01, 0x00, 0x5e, 0, 0, last],
    [0x02, 0x00, 0x00, 0x00, 0x00, last],
    [0x00, 0x11, 0x22, 0x33, 0x44, 0x50 + last],
  ]);
}

function network(random: Random): { readonly type: number; readonly body: readonly number[] } {
  const kind = random.below(10);
  if (kind < 5) return { type: 0x800, body: ipv4(random) };
  if (kind < 8) return { type: 0x86dd, body: ipv6(random) };
  if (kind === 8) return { type: random.pick([0x806, 0x8035]), body: arp(random) };
  return { type: random.pick([0x8847, 0x8864, 0x88cc, 0x42, 0x9000, 0x8100]), body: [...random.bytes(40)] };
}

const addresses = [
  [10, 0, 0, 1],
  [10, 0, 0, 2],
  [10, 1, 2, 3],
  [192, 168, 1, 1],
  [192, 168, 1, 255],
  [224, 0, 0, 251],
  [127, 0, 0, 1],
  [255, 255, 255, 255],
];

function arp(random: Random): readonly number[] {
  const request = [...word(1, 2), ...word(0x800, 2), 6, 4, ...word(random.pick([1, 2]), 2)];
  const party = () => [...ethernetAddress(random), ...random.pick(addresses)];
  return [...request, ...party(), ...party()];
}

function ipv4(random: Random): readonly number[] {
  const protocol = random.pick([6, 6, 17, 17, 1, 132, 2, 50, 47, 112]);
  const options = [...random.bytes(4 * random.pick([0, 0, 0, 1, 10]))];
  const fragment = random.pick([0, 0, 0, 0x2000, 0x2001, 0x00b9, 0x4000]);
  const body = transport(random, protocol);
  const header = [
    0x45 + options.length / 4,
    random.pick([0, 0x10, 0xb8]),
    ...word(20 + options.length + body.length, 2),
  ];
  const rest = [...random.bytes(2), ...word(fragment, 2), random.pick([1, 64, 255]), protocol, 0, 0];
  return [...header, ...rest, ...random.pick(addresses), ...random.pick(addresses), ...options, ...body];
}

function ipv6(random: Random): readonly number[] {
  const protocol = random.pick([6, 6, 17, 17, 58, 132, 44, 0, 50]);
  const upper = random.pick([6, 17, 58]);
  const isExtended = protocol === 44 || protocol === 0;
  const extension = isExtended ? [upper, 0, ...word(random.pick([0, 1, 8]), 2), 0, 0, 0, 0] : [];
  const body = [...extension, ...transport(random, isExtended ? upper : protocol)];
  const address = () => [
    ...word(random.pick([0x20010db8, 0xfe800000, 0xff020000]), 4),
    ...word(0, 4),
    ...word(0, 4),
    ...word(random.below(3), 4),
  ];
  return [0x60, 0, 0, 0, ...word(body.length, 2), protocol, 64, ...address(), ...address(), ...body];
}

function transport(random: Random, protocol: number): readonly number[] {
  const port = () => word(random.pick([22, 53, 80, 443, 1500, 8080, random.below(65536)]), 2);
  const payload = [...random.bytes(random.pick([0, 4, 12, 60, 200]))];
  if (protocol === 6) {
    const flags = random.pick([0x02, 0x12, 0x10, 0x18, 0x11, 0x04, 0x14]);
    return [...port(), ...port(), ...random.bytes(8), 0x50, flags, ...random.bytes(6), ...payload];
  }
  if (protocol === 17) return [...port(), ...port(), ...word(8 + payload.length, 2), 0, 0, ...payload];
  if (protocol === 132) return [...port(), ...port(), ...random.bytes(8), ...payload];
  if (protocol === 1 || protocol === 58) {
    return [random.pick([0, 3, 8, 11, 128, 129, 135, 136]), random.below(4), ...random.bytes(6), ...payload];
  }
  return [...random.bytes(16), ...payload];
}

/** Now and then a packet ends early, or some of its bytes are others. */
function damage(random: Random, bytes: readonly number[]): Uint8Array {
  const made = Uint8Array.from(bytes);
  for (let times = random.oneIn(3) ? 1 + random.below(3) : 0; times > 0; times -= 1) {
    made[random.below(Math.min(made.length, 60))] = random.below(256);
  }
  return random.oneIn(6) ? made.slice(0, 1 + random.below(made.length)) : made;
}

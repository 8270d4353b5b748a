import type { Condition } from './condition.ts';
import * as fields from './fields.ts';
import type { Field } from './fields.ts';
import type { Value } from './symbolic.ts';

/** A header at a known place: fixed, or behind an IPv4 header of variable length that begins at `behind`. */
export type Layer = {
  readonly fields: readonly Field[];
  readonly offset: number;
  readonly behind?: number;
};

/** What is known to hold where a test is made. */
export type Known = readonly Condition[];

/** Where the network header begins, and what is before it, by link type. */
const links: ReadonlyMap<string, { readonly network: number; readonly fields: readonly Field[] }> = new Map([
  ['EN10MB', { network: 14, fields: fields.ethernet }],
  ['LINUX_SLL2', { network: 20, fields: fields.cooked }],
  ['LINUX_SLL', { network: 16, fields: fields.oldCooked }],
  ['RAW', { network: 0, fields: fields.raw }],
  ['NULL', { network: 4, fields: fields.loopback }],
  ['LOOP', { network: 4, fields: fields.loopback }],
]);

const tags = [0x8100, 0x88a8, 0x9100];
const transports: ReadonlyMap<number, readonly Field[]> = new Map([
  [6, fields.tcp],
  [17, fields.udp],
  [132, fields.ports],
  [1, fields.icmp],
  [44, fields.fragment],
  [58, fields.icmp6],
]);

/** The headers that a packet is known to have. */
export function layersOf(linkType: string, known: Known): readonly Layer[] {
  const link = links.get(linkType);
  if (link === undefined) return [];
  const layers: Layer[] = [{ fields: link.fields, offset: 0 }];
  let network = link.network;
  const typeField = link.fields.find(({ name }) => name === 'ether type');
  let type = typeField === undefined ? undefined : valuesAt(known, typeField.offset, 2);
  while (
    type !== undefined &&
    type.length > 0 &&
    type.every((value) => tags.includes(value)) &&
    network < 64
  ) {
    layers.push({ fields: fields.vlan, offset: network });
    type = valuesAt(known, network + 2, 2);
    network += 4;
  }
  const version = typeField === undefined ? ipVersion(known, linkType, network) : undefined;
  if (version === 4 || isOnly(type, 0x800)) layers.push(...ipv4Layers(known, network));
  else if (version === 6 || isOnly(type, 0x86dd)) layers.push(...ipv6Layers(known, network));
  else if (type?.length !== 0 && type?.every((value) => value === 0x806 || value === 0x8035) === true)
    layers.push({ fields: fields.arp, offset: network });
  return layers;
}

function isOnly(values: readonly number[] | undefined, value: number): boolean {
  return values !== undefined && values.length === 1 && values[0] === value;
}

function ipv4Layers(known: Known, network: number): readonly Layer[] {
  const transport = transportFields(valuesAt(known, network + 9, 1));
  return [
    { fields: fields.ipv4, offset: network },
    { fields: transport, offset: network, behind: network },
  ];
}

function ipv6Layers(known: Known, network: number): readonly Layer[] {
  const transport = transportFields(valuesAt(known, network + 6, 1));
  return [
    { fields: fields.ipv6, offset: network },
    { fields: transport, offset: network + 40 },
  ];
}

function transportFields(protocols: readonly number[]): readonly Field[] {
  const [first, ...others] = protocols;
  if (first === undefined) return [];
  if (others.length === 0) return transports.get(first) ?? [];
  return protocols.every((protocol) => [6, 17, 132].includes(protocol)) ? fields.ports : [];
}

/** Without an EtherType: the version nibble, or the address family of BSD's loopback header. */
function ipVersion(known: Known, linkType: string, network: number): number | undefined {
  if (linkType === 'RAW') {
    const masked = known.flatMap((condition) => equalities(condition, isVersion(network))).flat();
    return masked.length === 0 ? undefined : (masked[0] ?? 0) >> 4;
  }
  const family = valuesAt(known, 0, 4).map((value) => Math.max(value >>> 24, value & 0xff));
  if (family.length === 0) return undefined;
  if (family.every((value) => value === 2)) return 4;
  return family.every((value) => [10, 24, 28, 30].includes(value)) ? 6 : undefined;
}

function isVersion(network: number): (value: Value) => boolean {
  return (value) =>
    value.kind === 'operation' &&
    value.mnemonic === 'and' &&
    value.right.kind === 'constant' &&
    value.right.value === 0xf0 &&
    isLoad(value.left, network, 1);
}

function isLoad(value: Value, offset: number, size: number): boolean {
  return value.kind === 'load' && value.base === undefined && value.offset === offset && value.size === size;
}

/** The values that the bytes at an offset can have; empty when nothing is known. */
function valuesAt(known: Known, offset: number, size: number): readonly number[] {
  for (const condition of known) {
    const values = equalities(condition, (value) => isLoad(value, offset, size));
    if (values.length > 0) return values;
  }
  return [];
}

function equalities(condition: Condition, matches: (value: Value) => boolean): readonly number[] {
  if (condition.kind === 'any') {
    const parts = condition.of.map((part) => equalities(part, matches));
    return parts.every((part) => part.length > 0) ? parts.flat() : [];
  }
  if (condition.kind === 'all') {
    return condition.of.map((part) => equalities(part, matches)).find((part) => part.length > 0) ?? [];
  }
  if (condition.kind !== 'test' || condition.negated) return [];
  const { relation, left, right } = condition.test;
  return relation === '=' && right.kind === 'constant' && matches(left) ? [right.value] : [];
}

/** The field that a value is loaded from, and how far inside it the load begins. */
export function fieldOf(
  value: Value,
  layers: readonly Layer[],
): { readonly field: Field; readonly skip: number; readonly key: string } | undefined {
  if (value.kind !== 'load') return undefined;
  for (const layer of layers) {
    const { base } = value;
    const sameBase =
      layer.behind === undefined
        ? base === undefined
        : base?.kind === 'header' && base.offset === layer.behind;
    if (!sameBase) continue;
    for (const field of layer.fields) {
      const skip = value.offset - layer.offset - field.offset;
      if (skip >= 0 && skip + value.size <= field.size) {
        return { field, skip, key: `${layer.offset} ${layer.behind ?? ''} ${field.name}` };
      }
    }
  }
  return undefined;
}

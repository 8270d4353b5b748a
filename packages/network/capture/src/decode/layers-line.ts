import type { Layer } from './layer.ts';
import { layerLine } from './layer-line.ts';
import type { LineOptions } from './line-options.ts';
import { ipv4Details } from './network/ipv4.ts';
import { ipv6Details } from './network/ipv6.ts';
import { serviceName } from './ports.ts';

/** All layers of a packet, each with what separates it from the next. */
export function layersLine(layers: readonly Layer[], wireBytes: number, options: LineOptions): string {
  const link = options.link === true;
  let text = '';
  let separator = '';
  for (const [index, layer] of layers.entries()) {
    const next = layers[index + 1];
    const told = next !== undefined && next.protocol !== 'data';
    if (!link && told && plainLinks.has(layer.protocol)) continue;
    let piece = ipLine(layer, layers, index, options) ?? layerLine(layer, next, options);
    if (piece === '') continue;
    if (index === 0 && layer.protocol === 'ethernet') piece += `, length ${wireBytes}`;
    // What an error is about: the line names it; the rest of it is for those who want more.
    if ((options.verbose ?? 0) > 0 && 'quoted' in layer && layer.quoted !== undefined)
      piece += ` [quoted ${layersLine(layer.quoted, wireBytes, options)}]`;
    text += separator + piece;
    separator = separatorAfter(layer);
  }
  return text;
}

type Protocol = Layer['protocol'];

/** Layers of the link that say nothing new about most packets. */
const plainLinks: ReadonlySet<Protocol> = new Set<Protocol>(['ethernet', 'llc', 'null', 'ppp']);

const extensions: readonly Protocol[] = [
  'ipv6-hop-by-hop',
  'ipv6-destination',
  'ipv6-routing',
  'ipv6-fragment',
];
/** What is after them goes on in the same breath. */
const spaced: ReadonlySet<Protocol> = new Set<Protocol>([
  ...extensions,
  'mpls',
  'pppoe',
  'sll',
  'sll2',
  'udp',
  'udp-lite',
]);
/** Between a network layer and its transport. */
const between: ReadonlySet<Protocol> = new Set<Protocol>([...extensions, 'ipv6-extension', 'ah']);

function separatorAfter({ protocol }: Layer): string {
  if (protocol === 'vlan') return ', ';
  return spaced.has(protocol) ? ' ' : ': ';
}

/** RFC 8200, section 4.7 */
const noNextHeader = 59;

/** `IP 10.0.0.1.443 > 10.0.0.2.5000`; undefined for other layers. */
function ipLine(
  layer: Layer,
  layers: readonly Layer[],
  index: number,
  options: LineOptions,
): string | undefined {
  if (layer.protocol !== 'ipv4' && layer.protocol !== 'ipv6') return undefined;
  const head = layer.protocol === 'ipv4' ? 'IP' : 'IP6';
  const verbose = (options.verbose ?? 0) > 0;
  const details = layer.protocol === 'ipv4' ? ipv4Details : ipv6Details;
  const about = verbose ? ` ${(details as (ip: Layer) => string)(layer)}` : '';
  const ports = portsAfter(layers, index);
  if (ports?.sourcePort === undefined || ports.destinationPort === undefined) {
    const empty = 'nextHeader' in layer && layer.nextHeader === noNextHeader ? ': no next header' : '';
    return `${head}${about} ${layer.source} > ${layer.destination}${empty}`;
  }
  const name = options.names === true ? serviceName : String;
  const { sourcePort, destinationPort } = ports;
  return `${head}${about} ${layer.source}.${name(sourcePort)} > ${layer.destination}.${name(destinationPort)}`;
}

type Ports = { readonly sourcePort?: number; readonly destinationPort?: number };

/** The ports that belong to a network layer, behind its extension headers. */
function portsAfter(layers: readonly Layer[], index: number): Ports | undefined {
  let at = index + 1;
  while (at < layers.length && between.has(layers[at]!.protocol)) at += 1;
  const layer = layers[at];
  return layer !== undefined && 'sourcePort' in layer ? layer : undefined;
}

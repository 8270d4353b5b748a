import type { PacketOwner } from '@nodecore/capture/formats';
import type { Decoded } from '@nodecore/capture/decode';

/** What packets are counted by. */
export const talkerKinds = ['process', 'container', 'flow'] as const;
export type TalkerKind = (typeof talkerKinds)[number];

/** Who it is, by the names of columns; what is not known is absent. */
type Identity = Readonly<Record<string, string | number | undefined>>;

/** One of those who send or receive. */
export type Talker = { readonly node: string; readonly packets: number; readonly bytes: number } & Identity;

type Counted = { readonly node: string; readonly identity: Identity; packets: number; bytes: number };

/** More than anybody reads; what comes beyond it is counted as one. */
const maxTalkers = 65_536;

/** The columns of each kind, before packets and bytes. */
export const talkerColumns: Readonly<Record<TalkerKind, readonly string[]>> = {
  process: ['process', 'pid', 'container'],
  container: ['container', 'cgroup'],
  flow: ['protocol', 'a', 'b'],
};

/** Packets and bytes of those who talk, on all nodes. */
export class Talkers {
  readonly kind: TalkerKind;
  readonly #counted = new Map<string, Counted>();

  constructor(kind: TalkerKind) {
    this.kind = kind;
  }

  add(node: string, packet: Decoded, owner: PacketOwner | undefined): void {
    let identity = this.kind === 'flow' ? flowOf(packet) : ownerOf(this.kind, owner);
    let key = JSON.stringify([node, ...Object.values(identity)]);
    if (this.#counted.size >= maxTalkers && !this.#counted.has(key)) {
      identity = { [talkerColumns[this.kind][0] ?? '']: '(others)' };
      key = node;
    }
    const counted = this.#counted.get(key) ?? { node, identity, packets: 0, bytes: 0 };
    counted.packets += 1;
    counted.bytes += packet.originalBytes;
    this.#counted.set(key, counted);
  }

  /** Those with the most bytes first. */
  top(): readonly Talker[] {
    return [...this.#counted.values()]
      .toSorted((a, b) => b.bytes - a.bytes)
      .map(({ node, identity, packets, bytes }) => ({ node, ...identity, packets, bytes }));
  }
}

function ownerOf(kind: 'process' | 'container', owner: PacketOwner | undefined): Identity {
  if (owner === undefined) return {};
  const { process, pid, container, cgroup } = owner;
  if (kind === 'process') return { process, pid, container };
  // What runs in no container is told by its cgroup.
  return container === undefined ? { cgroup } : { container };
}

/** Both directions are one flow: the smaller end is `a`. */
function flowOf({ layers }: Decoded): Identity {
  let network:
    | { readonly protocol: string; readonly source: string; readonly destination: string }
    | undefined;
  for (const layer of layers) {
    if (layer.protocol === 'ipv4' || layer.protocol === 'ipv6') network = layer;
    else if (network !== undefined && 'sourcePort' in layer && 'destinationPort' in layer) {
      const { source, destination } = network;
      return ends(layer.protocol, `${source}.${layer.sourcePort}`, `${destination}.${layer.destinationPort}`);
    }
  }
  if (network === undefined) return { protocol: layers.at(-1)?.protocol };
  const after = layers[layers.findIndex((layer) => layer === network) + 1]?.protocol;
  return ends(after ?? network.protocol, network.source, network.destination);
}

function ends(protocol: string, source: string, destination: string): Identity {
  const [a, b] = [source, destination].toSorted();
  return { protocol, a, b };
}

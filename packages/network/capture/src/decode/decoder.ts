import { Dissection } from './dissection.ts';
import { Faults } from './faults.ts';
import { FlowTable } from './flows.ts';
import { FragmentTable } from './fragments.ts';
import type { Layer } from './layer.ts';
import { findProtocol } from './protocols.ts';
import { Reader } from './reader.ts';

/** A packet as it is captured or read from a file. */
export type CapturedPacket = {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  /** Bytes on the wire; `data` may have fewer. */
  readonly originalBytes: number;
  readonly data: Uint8Array;
  /** A number of the tcpdump group's registry: 1 Ethernet, 101 raw IP, 276 SLL2, and also 0, 113, 228, 229. */
  readonly linkType: number;
};

/** A packet in layers, outermost first. Nothing in it refers to the packet's bytes. */
export type Decoded = {
  /** Since the epoch. */
  readonly seconds: number;
  readonly nanoseconds: number;
  /** Nanoseconds since the packet before it, 0 for the first; exact up to 104 days. */
  readonly sincePrevious: number;
  readonly originalBytes: number;
  readonly capturedBytes: number;
  readonly linkType: number;
  readonly layers: readonly Layer[];
  /** The protocol in which the captured bytes end, where the capture is shorter than the packet. */
  readonly truncated?: string;
  /** What contradicts itself, in words; layers before it hold. */
  readonly malformed?: string;
};

export type DecoderOptions = {
  /** Connections and fragmented datagrams that are remembered, each; default 8192, some 2 MiB. */
  readonly flows?: number;
  /** Whether checksums over payloads are verified; default true. Costs a pass over the bytes. */
  readonly checksums?: boolean;
};

const nanosecondsPerSecond = 1_000_000_000;
/** More are no packet of a sane sender: tags and tunnels could fill it with nothing else. */
const maxLayers = 48;

/**
 * Decodes packets, one after the other. Remembers where TCP connections began and the ports of fragmented datagrams,
 * in bounded memory; nothing else goes from one packet to the next. No bytes make it throw.
 *
 * @example
 * const decoder = new Decoder();
 * for await (const packet of reader) console.log(line(decoder.decode({ ...packet, linkType: 1 })));
 */
export class Decoder {
  readonly #flows: FlowTable;
  readonly #fragments: FragmentTable;
  readonly #checksums: boolean;
  #previous: bigint | undefined;
  /** The second that the last packet was in, as it is and in nanoseconds: most packets share it. */
  #seconds = 0;
  #secondStart = 0n;

  constructor(options: DecoderOptions = {}) {
    const limit = options.flows ?? 8192;
    this.#flows = new FlowTable(limit);
    this.#fragments = new FragmentTable(limit);
    this.#checksums = options.checksums ?? true;
  }

  decode(packet: CapturedPacket): Decoded {
    const { time, data, linkType } = packet;
    const faults = new Faults();
    const wire = Math.max(packet.originalBytes, data.length);
    const dissection = new Dissection<Layer, Layer>(faults, this.#flows, this.#fragments, this.#checksums);
    const { layers } = dissection;
    dissection.next('link', linkType, new Reader(data, 0, data.length, wire, faults));
    dissect(dissection, faults);
    const sincePrevious = this.#previous === undefined ? 0 : Number(time - this.#previous);
    this.#previous = time;
    const nanoseconds = this.#within(time);
    const seconds = this.#seconds;
    const capturedBytes = data.length;
    const decoded = {
      seconds,
      nanoseconds,
      sincePrevious,
      originalBytes: wire,
      capturedBytes,
      linkType,
      layers,
    };
    const { truncated, malformed } = faults;
    if (truncated === undefined && malformed === undefined) return decoded;
    return {
      ...decoded,
      ...(truncated === undefined ? {} : { truncated }),
      ...(malformed === undefined ? {} : { malformed }),
    };
  }

  /** Nanoseconds in the packet's second, which is kept. */
  #within(time: bigint): number {
    const nanoseconds = Number(time - this.#secondStart);
    if (nanoseconds >= 0 && nanoseconds < nanosecondsPerSecond) return nanoseconds;
    const seconds = time / BigInt(nanosecondsPerSecond);
    this.#seconds = Number(seconds);
    this.#secondStart = seconds * BigInt(nanosecondsPerSecond);
    return Number(time - this.#secondStart);
  }
}

/** One protocol after the other, until none says what follows. */
function dissect(packet: Dissection<Layer, Layer>, faults: Faults): void {
  for (let depth = 0; packet.table !== undefined; depth += 1) {
    const { table, key, bytes } = packet;
    packet.table = undefined;
    if (bytes === undefined) return;
    const protocol = findProtocol(table, key, bytes, packet);
    if (protocol === undefined) return;
    faults.protocol = protocol.name;
    if (depth === maxLayers) return faults.damage(`more than ${maxLayers} layers`);
    protocol.dissect(bytes, packet);
  }
}

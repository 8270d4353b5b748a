/** At most; 0: no limit. */
export type Limits = { readonly packets: bigint; readonly bytes: bigint };

const recordHeader = 16;

/** What one message holds, unless a single packet is larger: few messages at high rates, and none that holds up others. */
const pieceBytes = 1 << 16;

/** Cuts pcap records into pieces of whole ones, counts them, and ends at a limit. */
export class Pieces {
  readonly #most: { readonly packets: number; readonly bytes: number };
  readonly #sizeOf: (captured: number) => number;
  // Numbers: this is done for every packet, and none of them reaches 2^53.
  #packets = 0;
  #bytes = 0;
  #truncated = 0;
  #reached: 'packets' | 'bytes' | undefined;

  /** @param sizeOf bytes of a record as it is sent, by those of its packet. */
  constructor({ packets, bytes }: Limits, sizeOf: (captured: number) => number) {
    this.#most = { packets: orNone(packets), bytes: orNone(bytes) };
    this.#sizeOf = sizeOf;
  }

  get packets(): bigint {
    return BigInt(this.#packets);
  }

  /** As they are sent. */
  get bytes(): bigint {
    return BigInt(this.#bytes);
  }

  /** Packets that the snap length has cut. */
  get truncated(): bigint {
    return BigInt(this.#truncated);
  }

  /** The limit that leaves no room for another packet. */
  get reached(): 'packets' | 'bytes' | undefined {
    return this.#reached;
  }

  /** Views of `records`. What follows the limit is left out. */
  *cut(records: Uint8Array): Generator<Uint8Array, void, undefined> {
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
    let begin = 0;
    let at = 0;
    while (at < records.length && this.#reached === undefined) {
      const captured = view.getUint32(at + 8, true);
      const end = at + recordHeader + captured;
      if (at > begin && end - begin > pieceBytes) {
        yield records.subarray(begin, at);
        begin = at;
      }
      if (!this.#take(captured, view.getUint32(at + 12, true))) break;
      at = end;
    }
    if (at > begin) yield records.subarray(begin, at);
  }

  #take(captured: number, original: number): boolean {
    const after = this.#bytes + this.#sizeOf(captured);
    if (after > this.#most.bytes) {
      this.#reached = 'bytes';
      return false;
    }
    this.#bytes = after;
    this.#packets += 1;
    if (original > captured) this.#truncated += 1;
    if (this.#packets === this.#most.packets) this.#reached = 'packets';
    return true;
  }
}

function orNone(limit: bigint): number {
  return limit === 0n ? Infinity : Number(limit);
}

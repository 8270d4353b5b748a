import type { Batch } from '@nodecore/capture';

/** At most; 0: no limit. */
export type Limits = { readonly packets: bigint; readonly bytes: bigint };

/** Says how much of each batch is sent, counts it, and ends at a limit. Looks at no packet before a limit is near. */
export class Portions {
  readonly #most: { readonly packets: number; readonly bytes: number };
  // Numbers: none of them reaches 2^53.
  #packets = 0;
  #bytes = 0;
  #truncated = 0;
  #reached: 'packets' | 'bytes' | undefined;

  constructor({ packets, bytes }: Limits) {
    this.#most = { packets: orNone(packets), bytes: orNone(bytes) };
  }

  get packets(): bigint {
    return BigInt(this.#packets);
  }

  /** Of records, as they are sent. */
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

  /** A view of the batch's records. What follows the limit is left out. */
  take(batch: Batch): Uint8Array {
    const allowed = batch.first(this.#most.packets - this.#packets);
    const sent = allowed.fitting(this.#most.bytes - this.#bytes);
    this.#packets += sent.packets;
    this.#bytes += sent.bytes.length;
    this.#truncated += sent.truncated;
    if (sent.packets < allowed.packets) this.#reached = 'bytes';
    else if (this.#packets === this.#most.packets) this.#reached = 'packets';
    return sent.bytes;
  }
}

function orNone(limit: bigint): number {
  return limit === 0n ? Infinity : Number(limit);
}

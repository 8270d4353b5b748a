import { type BatchFormat, type RecordLayout, recordLayouts } from './batch-format.ts';

/** A packet of a batch. Its bytes are borrowed: they live until the batch after it is asked for. */
export type Packet = {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  /** On the wire; more than `data` has when the snap length cut it. */
  readonly originalBytes: number;
  /** Index in the capture's `interfaces`. */
  readonly interface: number;
  readonly data: Uint8Array;
};

/**
 * Packets of one interface that came together, as records of a file: little-endian, nanoseconds. Borrowed until the next
 * batch is asked for; `copy` is the way to keep a packet.
 */
export class Batch implements Iterable<Packet> {
  /** The records themselves, for who decodes by hand: faster than an object per packet. */
  readonly bytes: Uint8Array;
  readonly packets: number;
  /** Index in the capture's `interfaces`. */
  readonly interface: number;
  readonly format: BatchFormat;
  readonly #layout: RecordLayout;
  #truncated: number | undefined;

  /** @param truncated packets that were cut, where they were counted already. */
  constructor(
    bytes: Uint8Array,
    packets: number,
    index: number,
    { format = 'pcap', truncated }: { readonly format?: BatchFormat; readonly truncated?: number } = {},
  ) {
    this.bytes = bytes;
    this.packets = packets;
    this.interface = index;
    this.format = format;
    this.#layout = recordLayouts[format];
    this.#truncated = truncated;
  }

  /** Packets that the snap length has cut. */
  get truncated(): number {
    this.#truncated ??= this.#countTruncated();
    return this.#truncated;
  }

  *[Symbol.iterator](): Generator<Packet, void, undefined> {
    const { captured, original, data, sizeOf, time } = this.#layout;
    const view = this.#view();
    for (let at = 0; at < view.byteLength;) {
      const size = view.getUint32(at + captured, true);
      yield {
        time: time(view, at),
        originalBytes: view.getUint32(at + original, true),
        interface: this.interface,
        data: this.bytes.subarray(at + data, at + data + size),
      };
      at += sizeOf(size);
    }
  }

  /** The same, in memory of its own. */
  copy(): Batch {
    return this.#with(this.bytes.slice(), this.packets, this.#truncated);
  }

  /** The first packets only; all of them when there are no more. Borrowed like the batch. */
  first(packets: number): Batch {
    if (packets >= this.packets) return this;
    return this.#until((_end, count) => count <= packets);
  }

  /** The first packets only, whose records have so many bytes together at most. Borrowed like the batch. */
  fitting(bytes: number): Batch {
    if (bytes >= this.bytes.length) return this;
    return this.#until((end) => end <= bytes);
  }

  #until(fits: (end: number, count: number) => boolean): Batch {
    const { captured, sizeOf } = this.#layout;
    const view = this.#view();
    let end = 0;
    let packets = 0;
    while (end < view.byteLength) {
      const next = end + sizeOf(view.getUint32(end + captured, true));
      if (!fits(next, packets + 1)) break;
      end = next;
      packets += 1;
    }
    return this.#with(this.bytes.subarray(0, end), packets, undefined);
  }

  #with(bytes: Uint8Array, packets: number, truncated: number | undefined): Batch {
    const { format } = this;
    return new Batch(bytes, packets, this.interface, {
      format,
      ...(truncated !== undefined && { truncated }),
    });
  }

  #countTruncated(): number {
    const { captured, original, sizeOf } = this.#layout;
    const view = this.#view();
    let count = 0;
    for (let at = 0; at < view.byteLength;) {
      const size = view.getUint32(at + captured, true);
      if (view.getUint32(at + original, true) > size) count += 1;
      at += sizeOf(size);
    }
    return count;
  }

  #view(): DataView {
    const { bytes } = this;
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

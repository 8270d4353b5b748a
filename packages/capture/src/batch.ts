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

const recordBytes = 16;

/**
 * Packets of one interface that came together, as records of a pcap file: little-endian, nanoseconds
 * (draft-ietf-opsawg-pcap, section 5). Borrowed until the next batch is asked for; `copy` is the way to keep a packet.
 */
export class Batch implements Iterable<Packet> {
  /** The records themselves, for who decodes by hand: faster than an object per packet. */
  readonly bytes: Uint8Array;
  readonly packets: number;
  /** Index in the capture's `interfaces`. */
  readonly interface: number;

  constructor(bytes: Uint8Array, packets: number, index: number) {
    this.bytes = bytes;
    this.packets = packets;
    this.interface = index;
  }

  *[Symbol.iterator](): Generator<Packet, void, undefined> {
    const { bytes } = this;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.byteLength;) {
      const end = at + recordBytes + view.getUint32(at + 8, true);
      yield {
        time: BigInt(view.getUint32(at, true)) * 1_000_000_000n + BigInt(view.getUint32(at + 4, true)),
        originalBytes: view.getUint32(at + 12, true),
        interface: this.interface,
        data: bytes.subarray(at + recordBytes, end),
      };
      at = end;
    }
  }

  /** The same, in memory of its own. */
  copy(): Batch {
    return new Batch(this.bytes.slice(), this.packets, this.interface);
  }

  /** The first packets only; all of them when there are no more. Borrowed like the batch. */
  first(packets: number): Batch {
    if (packets >= this.packets) return this;
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    let at = 0;
    for (let count = 0; count < packets; count += 1) at += recordBytes + view.getUint32(at + 8, true);
    return new Batch(this.bytes.subarray(0, at), packets, this.interface);
  }
}

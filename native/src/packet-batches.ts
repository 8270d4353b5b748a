import { addon } from './addon.ts';
import { translated } from './errors.ts';
import { Handle } from './handle.ts';
import type { AddonPacketBatches } from './packet-addon.ts';
import { toProgress, type PacketProgress } from './packet-progress.ts';
import { filterBytes, type PacketRingOptions, ringNumbers, within } from './packet-ring-options.ts';

export type PacketBatchesOptions = {
  readonly rings: readonly PacketRingOptions[];
  /** Longest record's data. */
  readonly snapLength: number;
  /** What the records are of; default 'pcap'. */
  readonly format?: 'pcap' | 'pcapng';
  /** How long packets may gather while many come; default 20 ms. 0 wakes for every block. */
  readonly maxHoldMs?: number;
};

/** Little-endian records with nanoseconds, one after the other, from one ring: of pcap, or enhanced packet blocks of pcapng. */
export type PacketBatch = {
  /** Filled again by the next `take`. In front of them, in the same buffer, are {@link batchHeadroomBytes} that are free. */
  readonly bytes: Uint8Array;
  /** Index of the ring. */
  readonly ring: number;
  readonly packets: number;
  /** Of those, packets that were longer than their record holds. */
  readonly truncated: number;
};

/** As much as a processor's own cache holds of what is read next. */
const batchBytes = 1 << 19;
/** For servers that pass a batch on: framing it copies nothing. */
export const batchHeadroomBytes = 16;
/** What is around the longest data of a record: of pcapng, which has more, with its padding. */
const recordBytes = 32 + 3;

/**
 * Packets of rings as batches in one buffer that is filled again with each call: packets that nobody asks for
 * wait in the ring, and are lost there. Needs CAP_NET_RAW.
 */
export class PacketBatches extends Handle<AddonPacketBatches> {
  readonly #memory: Uint8Array;
  readonly #answer = new Uint32Array(5);

  /** @throws {NativeError} EPERM without CAP_NET_RAW, ENODEV for an interface that is not there. */
  static open(options: PacketBatchesOptions): PacketBatches {
    const { rings, snapLength, format = 'pcap', maxHoldMs = 20 } = options;
    within('maxHoldMs', maxHoldMs, 0, 10_000);
    within('snapLength', snapLength, 1, 1 << 18);
    const { PacketBatches: Native } = addon();
    const numbers = Uint32Array.from(rings.flatMap(ringNumbers));
    const filters = rings.map(filterBytes);
    const native = translated(
      'a packet socket',
      () => new Native(numbers, filters, maxHoldMs, snapLength, format === 'pcapng'),
    );
    return new PacketBatches(native, snapLength);
  }

  private constructor(native: AddonPacketBatches, snapLength: number) {
    super(native, 'packet batches');
    // The last record begins within the batch's size, and may end behind it.
    const buffer = new ArrayBuffer(batchHeadroomBytes + batchBytes + recordBytes + snapLength);
    this.#memory = new Uint8Array(buffer, batchHeadroomBytes);
  }

  /** What is there now; undefined when there is nothing, or it has ended. Does not wait. */
  take(): PacketBatch | undefined {
    this.native.take(this.#memory, this.#answer);
    const [ring = 0, bytes = 0, packets = 0, truncated = 0] = this.#answer;
    return packets === 0 ? undefined : { bytes: this.#memory.subarray(0, bytes), ring, packets, truncated };
  }

  /** Nothing more comes; the progress says why. */
  get ended(): boolean {
    return this.#answer[4] === 1;
  }

  /** Until there may be something to take, it has ended, or its sockets are gone. False when it was closed. */
  async ready(): Promise<boolean> {
    return await this.readable();
  }

  /** No packet gets in any more; what was captured can still be taken, then it ends. */
  stop(): void {
    if (!this.closed) this.native.stop();
  }

  /** Ends at once: what was captured and not taken is lost. */
  abandon(): void {
    if (!this.closed) this.native.abandon();
  }

  progress(): PacketProgress {
    return toProgress(this.native.look());
  }
}

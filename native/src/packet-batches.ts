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
  /** How long packets may gather while many come; default 20 ms. 0 wakes for every block. */
  readonly mostHoldMs?: number;
};

/** Little-endian pcap records with nanoseconds, one after the other, from one ring. */
export type PacketBatch = {
  /** Filled again by the next `take`. */
  readonly bytes: Uint8Array;
  /** Index of the ring. */
  readonly ring: number;
  readonly packets: number;
};

/** As much as a processor's own cache holds of what is read next. */
const batchBytes = 1 << 19;
const recordBytes = 16;

/**
 * Packets of rings as batches in one buffer that is filled again and again, by whoever asks: packets that nobody asks for
 * wait in the ring, and are lost there. Needs CAP_NET_RAW.
 */
export class PacketBatches extends Handle<AddonPacketBatches> {
  readonly #memory: Uint8Array;
  readonly #answer = new Uint32Array(4);

  /** @throws {NativeError} EPERM without CAP_NET_RAW, ENODEV for an interface that is not there. */
  static open(options: PacketBatchesOptions): PacketBatches {
    const { rings, snapLength, mostHoldMs = 20 } = options;
    within('mostHoldMs', mostHoldMs, 0, 10_000);
    within('snapLength', snapLength, 1, 1 << 18);
    const { PacketBatches: Native } = addon();
    const numbers = Uint32Array.from(rings.flatMap(ringNumbers));
    const filters = rings.map(filterBytes);
    const native = translated('a packet socket', () => new Native(numbers, filters, mostHoldMs, snapLength));
    return new PacketBatches(native, snapLength);
  }

  private constructor(native: AddonPacketBatches, snapLength: number) {
    super(native, 'packet batches');
    // The last record begins within the batch's size, and may end behind it.
    this.#memory = new Uint8Array(batchBytes + recordBytes + snapLength);
  }

  /** What is there now; undefined when there is nothing, or it has ended. Does not wait. */
  take(): PacketBatch | undefined {
    this.native.take(this.#memory, this.#answer);
    const [ring = 0, bytes = 0, packets = 0] = this.#answer;
    return packets === 0 ? undefined : { bytes: this.#memory.subarray(0, bytes), ring, packets };
  }

  /** Nothing more comes; the progress says why. */
  get ended(): boolean {
    return this.#answer[3] === 1;
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

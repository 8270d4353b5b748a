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
  /** Buffers that go round; default 8. When all of them are with the reader, packets wait in the ring, and are lost there. */
  readonly buffers?: number;
  /** Default 1 MiB; at least one record. */
  readonly bufferBytes?: number;
};

/** Little-endian pcap records with nanoseconds, one after the other, from one ring. */
export type PacketBatch = {
  /** Filled again after `recycle`. */
  readonly bytes: Uint8Array;
  /** Index of the ring. */
  readonly ring: number;
  readonly packets: number;
  /** Which buffer it is, for `recycle`. */
  readonly buffer: number;
};

const recordBytes = 16;
/** What is put into a packet besides the kernel's bytes: SLL2 header, VLAN tag. */
const addedBytes = 24;

/** Packets of rings as batches, gathered by a thread of the addon. Needs CAP_NET_RAW. */
export class PacketBatches extends Handle<AddonPacketBatches> {
  readonly #buffers: readonly ArrayBuffer[];

  /** @throws {NativeError} EPERM without CAP_NET_RAW, ENODEV for an interface that is not there. */
  static open(options: PacketBatchesOptions): PacketBatches {
    const { rings, snapLength, mostHoldMs = 20, buffers = 8, bufferBytes = 1 << 20 } = options;
    within('mostHoldMs', mostHoldMs, 0, 10_000);
    within('snapLength', snapLength, 1, 1 << 18);
    within('buffers', buffers, 2, 1024);
    within('bufferBytes', bufferBytes, snapLength + recordBytes + addedBytes, 1 << 28);
    const { PacketBatches: Native } = addon();
    const numbers = Uint32Array.from(rings.flatMap(ringNumbers));
    const filters = rings.map(filterBytes);
    return new PacketBatches(
      translated(
        'a packet socket',
        () => new Native(numbers, filters, mostHoldMs, buffers, bufferBytes, snapLength),
      ),
    );
  }

  private constructor(native: AddonPacketBatches) {
    super(native, 'packet batches');
    this.#buffers = native.buffers();
  }

  /** What has gathered, at least one batch or the end. Undefined once the handle is closed. */
  async receive(): Promise<{ batches: readonly PacketBatch[]; progress: PacketProgress } | undefined> {
    if (!(await this.readable())) return undefined;
    // In this order: what comes from now on is announced again, and what was there before the end is in the batches.
    this.native.acknowledge();
    const progress = this.progress();
    return { batches: [...this.#take()], progress };
  }

  *#take(): Generator<PacketBatch> {
    const numbers = this.native.receive();
    for (let at = 0; at < numbers.length; at += 4) {
      const [buffer = 0, ring = 0, bytes = 0, packets = 0] = numbers.subarray(at, at + 4);
      const memory = this.#buffers[buffer];
      if (memory === undefined) throw new TypeError(`no buffer ${buffer}`);
      yield { bytes: new Uint8Array(memory, 0, bytes), ring, packets, buffer };
    }
  }

  /** Gives a batch's buffer back. Once per batch. */
  recycle(batch: PacketBatch): void {
    if (!this.closed) this.native.recycle(batch.buffer);
  }

  /** No packet gets in any more; what was captured still comes, then the end. */
  stop(): void {
    if (!this.closed) this.native.stop();
  }

  progress(): PacketProgress {
    return toProgress(this.native.look());
  }
}

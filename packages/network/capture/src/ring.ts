import { PacketRing } from '@nodecore/native';
import { onAbort } from '@nodecore/waiting';

import { captureFailure } from './failure.ts';
import { type CaptureOptions, checkRange } from './options.ts';
import { CaptureError } from './errors.ts';
import { type CapturedInterface, describeSource, prepareSources, type Source } from './source.ts';

export type RingOptions = Omit<CaptureOptions, 'interfaces'> & {
  readonly interface: string;
  /** How long a packet may wait for others; default 10 ms. */
  readonly latencyMs?: number;
  readonly signal?: AbortSignal;
};

// linux/if_packet.h: tpacket_block_desc with tpacket_hdr_v1, then tpacket3_hdr before each packet. In the machine's byte
// order, which is little-endian wherever this package runs.
const block = { packets: 12, firstPacket: 16 } as const;
const header = {
  next: 0,
  seconds: 4,
  nanoseconds: 8,
  captured: 12,
  original: 16,
  status: 20,
  data: 24,
  vlanTci: 32,
  vlanTpid: 36,
} as const;
const TP_STATUS_VLAN_VALID = 1 << 4;
const TP_STATUS_VLAN_TPID_VALID = 1 << 6;
const ETH_P_8021Q = 0x8100;

/** A VLAN tag that the kernel took out of the frame: it belongs after the two addresses. */
export type VlanTag = { readonly tpid: number; readonly tci: number };

/** A packet where the kernel wrote it. */
export type LentPacket = {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  /** On the wire, without the tag. */
  readonly originalBytes: number;
  /** Empty, and throwing, once the block was taken back. */
  readonly data: Uint8Array;
  readonly vlan: VlanTag | undefined;
};

/**
 * Packets in one block of the ring. They live until the next block is asked for: then the memory is the kernel's again,
 * and every view of it is empty.
 */
export class LentBlock implements Iterable<LentPacket> {
  /** A `tpacket_block_desc` and its packets, for who decodes by hand: faster than an object per packet. */
  readonly buffer: ArrayBuffer;
  readonly packets: number;

  constructor(buffer: ArrayBuffer) {
    this.buffer = buffer;
    this.packets = new DataView(buffer).getUint32(block.packets, true);
  }

  *[Symbol.iterator](): Generator<LentPacket, void, undefined> {
    const { buffer } = this;
    const view = new DataView(buffer);
    let at = view.getUint32(block.firstPacket, true);
    for (let left = this.packets; left > 0; left -= 1) {
      const data = at + view.getUint16(at + header.data, true);
      yield {
        time:
          BigInt(view.getUint32(at + header.seconds, true)) * 1_000_000_000n +
          BigInt(view.getUint32(at + header.nanoseconds, true)),
        originalBytes: view.getUint32(at + header.original, true),
        data: new Uint8Array(buffer, data, view.getUint32(at + header.captured, true)),
        vlan: vlanOf(view, at),
      };
      at += view.getUint32(at + header.next, true);
    }
  }
}

function vlanOf(view: DataView, at: number): VlanTag | undefined {
  const status = view.getUint32(at + header.status, true);
  if ((status & TP_STATUS_VLAN_VALID) === 0) return undefined;
  const told = (status & TP_STATUS_VLAN_TPID_VALID) !== 0;
  return {
    tci: view.getUint32(at + header.vlanTci, true),
    tpid: told ? view.getUint16(at + header.vlanTpid, true) : ETH_P_8021Q,
  };
}

/** The ring itself, block by block, without a copy: for large packets, where copying costs more than it saves. */
export class RingCapture implements AsyncIterable<LentBlock>, AsyncDisposable {
  readonly interface: CapturedInterface;
  readonly #native: PacketRing;
  /** Until the end: a signal that outlives the capture keeps nothing of it. */
  readonly #listener: Disposable;

  /** @internal Use {@link openRing}. */
  constructor(native: PacketRing, source: Source, signal: AbortSignal | undefined) {
    this.#native = native;
    this.interface = describeSource(source);
    this.#listener = onAbort(signal, () => this.stop());
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LentBlock, void, undefined> {
    for (;;) {
      const buffer = await this.#next();
      if (buffer === undefined) return;
      try {
        yield new LentBlock(buffer);
      } finally {
        this.#native.takeBack();
      }
    }
  }

  async #next(): Promise<ArrayBuffer | undefined> {
    try {
      return await this.#native.lend();
    } catch (error) {
      throw captureFailure(error, this.interface.name);
    }
  }

  /** Takes no more packets; the iteration ends after those in the ring. */
  stop(): void {
    if (!this.#native.closed) this.#native.silence();
  }

  /** Packets that the filter accepted, and how many of them found no room. */
  statistics(): { readonly seen: bigint; readonly dropped: bigint } {
    const { packets, drops } = this.#native.counters();
    return { seen: packets, dropped: drops };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener[Symbol.dispose]();
    this.#native.close();
  }
}

/**
 * Captures on one interface without copying. Needs CAP_NET_RAW.
 *
 * @throws {CaptureError} before anything is captured.
 * @throws {BpfError} for a filter that can't be compiled.
 */
export async function openRing(options: RingOptions): Promise<RingCapture> {
  const { interface: name, latencyMs = 10, signal, ...rest } = options;
  checkRange('latencyMs', latencyMs, 1, 60_000);
  const [source] = await prepareSources({ ...rest, interfaces: [name] }, latencyMs);
  signal?.throwIfAborted();
  if (source === undefined || source.ring.cooked === true) {
    const message = `${name} has no link layer of its own, so its packets need a header that is not in the ring`;
    throw new CaptureError('ERR_CAPTURE_OPTION', message);
  }
  try {
    return new RingCapture(PacketRing.open(source.ring), source, signal);
  } catch (error) {
    throw captureFailure(error, name);
  }
}

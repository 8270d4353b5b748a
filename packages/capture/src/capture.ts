import { PacketBatches, type PacketBatch, type PacketProgress } from '@nodecore/native';

import { Batch } from './batch.ts';
import { captureFailure } from './failure.ts';
import { type CaptureOptions, checkRange } from './options.ts';
import { type CapturedInterface, describeSource, prepareSources, type Source } from './source.ts';
import { type CaptureStatistics, toStatistics } from './statistics.ts';

export type OpenOptions = CaptureOptions & {
  /** How long a packet may wait for others while little comes; default 10 ms. */
  readonly latencyMs?: number;
  /** How long packets may gather while much comes; default 20 ms. */
  readonly gatherMs?: number;
  /** Memory that batches go round in; default 8 MiB. */
  readonly bufferBytes?: number;
  /** Ends the capture: the iteration ends with what was captured before. */
  readonly signal?: AbortSignal;
};

const batchBytes = 1 << 20;

/**
 * Packets as batches. It ends when it is stopped, when its signal fires, or with an error when an interface goes away;
 * batches that were captured before come first. A reader that is too slow loses packets, which `statistics` counts.
 */
export class Capture implements AsyncIterable<Batch>, AsyncDisposable {
  readonly interfaces: readonly CapturedInterface[];
  readonly #native: PacketBatches;
  /** Received and not asked for yet. */
  readonly #waiting: PacketBatch[] = [];
  readonly #ended = new AbortController();
  #receiving: Promise<void> | undefined;
  #last: PacketProgress | undefined;

  /** @internal Use {@link open}. */
  constructor(native: PacketBatches, sources: readonly Source[], signal: AbortSignal | undefined) {
    this.#native = native;
    this.interfaces = sources.map(describeSource);
    signal?.addEventListener('abort', () => this.stop(), { once: true, signal: this.#ended.signal });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Batch, void, undefined> {
    for (;;) {
      for (let batch = this.#waiting.shift(); batch !== undefined; batch = this.#waiting.shift()) {
        try {
          yield new Batch(batch.bytes, batch.packets, batch.ring);
        } finally {
          this.#native.recycle(batch);
        }
      }
      if (this.#last?.end !== undefined) return this.#failed(this.#last);
      await this.#receive();
    }
  }

  /** One wait for all who wait: the iteration and the end of its owner may meet. */
  #receive(): Promise<void> {
    this.#receiving ??= this.#receiveOnce();
    return this.#receiving;
  }

  async #receiveOnce(): Promise<void> {
    try {
      const answer = await this.#native.receive();
      this.#waiting.push(...(answer?.batches ?? []));
      this.#last = answer?.progress ?? this.#last;
    } finally {
      this.#receiving = undefined;
    }
  }

  #failed({ failure, failedRing = 0 }: PacketProgress): void {
    if (failure !== undefined) throw captureFailure(failure, this.interfaces[failedRing]?.name ?? '');
  }

  /** Takes no more packets; the iteration ends after those that were captured before. */
  stop(): void {
    this.#native.stop();
  }

  /** Up to now; after the end: of all of it. */
  statistics(): CaptureStatistics {
    const progress = this.#last?.end === undefined ? this.#native.progress() : this.#last;
    return toStatistics(
      this.interfaces.map((one) => one.name),
      progress,
    );
  }

  /** Ends at once; resolves when the sockets are gone. Packets that nobody asked for yet are dropped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    this.stop();
    while (this.#last?.closed !== true) {
      await this.#receive();
      for (const batch of this.#waiting.splice(0)) this.#native.recycle(batch);
    }
    this.#native.close();
  }
}

/**
 * Captures packets. Needs CAP_NET_RAW, and CAP_NET_ADMIN for promiscuous mode.
 *
 * The filter is in place before the first packet is taken (packet(7)).
 *
 * @throws {CaptureError} before anything is captured; `ERR_CAPTURE_INTERFACE` lists what there is.
 * @throws {BpfError} for a filter that can't be compiled, with its place.
 *
 * @example
 * await using capture = await open({ interfaces: ['eth0'], filter: 'tcp port 443', signal });
 * for await (const batch of capture) for (const packet of batch) count(packet.data);
 */
export async function open(options: OpenOptions): Promise<Capture> {
  const { latencyMs = 10, gatherMs = 20, bufferBytes = 8 << 20, signal } = options;
  checkRange('latencyMs', latencyMs, 1, 60_000);
  checkRange('gatherMs', gatherMs, 0, 10_000);
  checkRange('bufferBytes', bufferBytes, 2 * batchBytes, 1 << 30);
  const sources = await prepareSources(options, latencyMs);
  signal?.throwIfAborted();
  return new Capture(start(sources, gatherMs, Math.floor(bufferBytes / batchBytes)), sources, signal);
}

function start(sources: readonly Source[], mostHoldMs: number, buffers: number): PacketBatches {
  const [first] = sources;
  try {
    return PacketBatches.open({
      rings: sources.map((source) => source.ring),
      snapLength: first?.snapLength ?? 0,
      mostHoldMs,
      buffers,
      bufferBytes: batchBytes,
    });
  } catch (error) {
    throw captureFailure(error, sources.map((source) => source.name).join(', '));
  }
}

import { PacketBatches, type PacketProgress } from '@nodecore/native';
import { onAbort } from '@nodecore/waiting';

import { Batch } from './batch.ts';
import type { BatchFormat } from './batch-format.ts';
import { captureFailure } from './failure.ts';
import { type CaptureOptions, checkRange } from './options.ts';
import { type CapturedInterface, describeSource, prepareSources, type Source } from './source.ts';
import { type CaptureStatistics, toStatistics } from './statistics.ts';

export type OpenOptions = CaptureOptions & {
  /** How long a packet may wait for others while little comes; default 10 ms. Linux before 6.18 counts in ticks. */
  readonly latencyMs?: number;
  /** How long packets may gather while much comes; default 40 ms. */
  readonly gatherMs?: number;
  /** What the records of batches are of; default 'pcap'. */
  readonly format?: BatchFormat;
  /** Ends the capture: the iteration ends with what was captured before. */
  readonly signal?: AbortSignal;
};

/** So many batches are handed out before others on the loop have their turn: half a millisecond's work. */
const batchesPerTurn = 4;

/**
 * Packets as batches. It ends when it is stopped, when its signal fires, or with an error when its last interface goes
 * away; batches that were captured before come first. Of several interfaces one that goes ends only itself, and
 * `statistics` says why. A reader that is too slow loses packets, which `statistics` counts.
 */
export class Capture implements AsyncIterable<Batch>, AsyncDisposable {
  readonly interfaces: readonly CapturedInterface[];
  readonly #native: PacketBatches;
  readonly #format: BatchFormat;
  /** Until the end: a signal that outlives the capture keeps nothing of it. */
  readonly #listener: Disposable;
  #waiting: Promise<boolean> | undefined;
  /** After the end. */
  #last: PacketProgress | undefined;

  /** @internal Use {@link open}. */
  constructor(
    native: PacketBatches,
    sources: readonly Source[],
    { format = 'pcap', signal }: Pick<OpenOptions, 'format' | 'signal'>,
  ) {
    this.#native = native;
    this.#format = format;
    this.interfaces = sources.map(describeSource);
    this.#listener = onAbort(signal, () => this.stop());
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Batch, void, undefined> {
    while (this.#last === undefined) {
      for (let batches = 0; batches < batchesPerTurn; batches += 1) {
        const batch = this.#native.closed ? undefined : this.#native.take();
        if (batch === undefined) break;
        const { bytes, packets, ring, truncated } = batch;
        yield new Batch(bytes, packets, ring, { format: this.#format, truncated });
      }
      if (!this.#ending()) await this.#wait();
    }
    this.#failed(this.#last);
  }

  #ending(): boolean {
    if (this.#last === undefined && this.#native.ended) this.#last = this.#native.progress();
    return this.#last !== undefined;
  }

  /** One wait for all who wait: the iteration and the end of its owner may meet. */
  #wait(): Promise<boolean> {
    this.#waiting ??= this.#native.ready().finally(() => {
      this.#waiting = undefined;
    });
    return this.#waiting;
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
    return toStatistics(
      this.interfaces.map((one) => one.name),
      this.#last ?? this.#native.progress(),
    );
  }

  /** Ends at once; resolves when the sockets are gone. Packets that nobody asked for yet are dropped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener[Symbol.dispose]();
    if (this.#native.closed) return;
    this.#native.abandon();
    this.#last ??= this.#native.progress();
    while (!this.#native.closed && !this.#native.progress().closed) await this.#wait();
    this.#native.close();
  }
}

/**
 * Captures packets. Needs CAP_NET_RAW, and CAP_NET_ADMIN for promiscuous mode.
 *
 * The filter is in place before the first packet is taken (packet(7)).
 *
 * @throws {CaptureError} before anything is captured; `ERR_CAPTURE_INTERFACE` lists the interfaces.
 * @throws {BpfError} for a filter that can't be compiled, with its place.
 *
 * @example
 * await using capture = await open({ interfaces: ['eth0'], filter: 'tcp port 443', signal });
 * for await (const batch of capture) for (const packet of batch) count(packet.data);
 */
export async function open(options: OpenOptions): Promise<Capture> {
  const { latencyMs = 10, gatherMs = 40, format = 'pcap', signal } = options;
  checkRange('latencyMs', latencyMs, 1, 60_000);
  checkRange('gatherMs', gatherMs, 0, 10_000);
  const sources = await prepareSources(options, latencyMs);
  signal?.throwIfAborted();
  return new Capture(start(sources, gatherMs, format), sources, options);
}

function start(sources: readonly Source[], maxHoldMs: number, format: BatchFormat): PacketBatches {
  const [first] = sources;
  try {
    return PacketBatches.open({
      rings: sources.map((source) => source.ring),
      snapLength: first?.snapLength ?? 0,
      maxHoldMs,
      format,
    });
  } catch (error) {
    throw captureFailure(error, sources.map((source) => source.name).join(', '));
  }
}

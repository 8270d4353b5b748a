import { type KernelRecord, kernelRecordJson, parseKernelRecord } from '@nodecore/host';
import { codeOf } from '@nodecore/sys';
import { Backoff, type Clock, onAbort } from '@nodecore/waiting';

import type { Receiver } from './receiver.ts';

export type DeliveryParts = {
  readonly receiver: Receiver;
  /** Records of the kernel from the oldest one on; `idle` is called whenever there is none for now. */
  readonly records: (signal: AbortSignal, idle: () => void) => AsyncIterable<string>;
  /** A record as a line; the lines of the kernel by default. */
  readonly encode?: (record: KernelRecord, bootMs: number) => string;
  readonly clock: Clock;
  /** When the monotonic clock was 0. */
  readonly bootMs: number;
};

/** What is left may be sent so long when the agent ends. */
const drainMs = 2000;

/**
 * Sends the kernel's lines to one receiver, each until it is sent. What waits lies in the kernel's own memory, which is bounded:
 * what it overwrites meanwhile is counted by the numbers that are missing.
 */
export class Delivery {
  readonly #parts: DeliveryParts;
  #sent = 0;
  #dropped = 0;
  #next: number | undefined;
  #error: string | undefined;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Lines that the kernel had overwritten before they could be sent. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Why nothing is sent at the moment. */
  get error(): string | undefined {
    return this.#error;
  }

  /** Until the signal fires, and then until all that was there is sent, 2 s at most. */
  async run(stopping: AbortSignal): Promise<void> {
    const { receiver, records, clock, encode = kernelRecordJson } = this.#parts;
    const end = new AbortController();
    const drained = (): void => {
      if (stopping.aborted) end.abort();
    };
    using _stopping = onAbort(stopping, () => {
      clock.sleep(drainMs, end.signal).then(
        () => end.abort(),
        () => {}, // drained before
      );
    });
    using _receiver = receiver;
    for await (const text of records(end.signal, drained)) {
      const record = parseKernelRecord(text);
      if (record === undefined) continue; // that lines are lost is known by their numbers
      if (this.#next !== undefined) this.#dropped += Math.max(0, record.sequence - this.#next);
      this.#next = record.sequence + 1;
      await this.#send(encode(record, this.#parts.bootMs), end.signal);
      if (end.signal.aborted) return;
    }
  }

  async #send(line: string, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff({ firstMs: 500, largestMs: 10_000 });
    while (!signal.aborted) {
      try {
        await this.#parts.receiver.send(line, signal);
        this.#sent++;
        this.#error = undefined;
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#error = codeOf(error) ?? 'failed';
        await this.#parts.clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
      }
    }
  }
}

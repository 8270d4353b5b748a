import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

import type { Told } from './protocol.ts';

const recordBytes = 16;
const resolutionMs = 1;

/** How late packets are when JavaScript sees them, and how late its timers. */
export class Punctuality implements Disposable {
  readonly #latency = createHistogram();
  readonly #delay = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #epochMs = epochMs();

  constructor() {
    this.#delay.enable();
  }

  /** Of every packet of a batch, as soon as it is there. */
  note(records: Uint8Array): void {
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
    const nowNs = BigInt(Math.round((this.#epochMs + performance.now()) * 1e6));
    const second = view.getUint32(0, true);
    const sinceNs = Number(nowNs - BigInt(second) * 1_000_000_000n);
    for (let at = 0; at < records.byteLength; at += recordBytes + view.getUint32(at + 8, true)) {
      const late =
        sinceNs - (view.getUint32(at, true) - second) * 1_000_000_000 - view.getUint32(at + 4, true);
      this.#latency.record(Math.max(1, late));
    }
  }

  /** The 99th percentiles since the last call. */
  take(): Pick<Told, 'latencyMs' | 'loopDelayMs'> {
    const latencyMs = this.#latency.percentile(99) / 1e6;
    const loopDelayMs = this.#delay.percentile(99) / 1e6 - resolutionMs;
    this.#latency.reset();
    this.#delay.reset();
    return { latencyMs, loopDelayMs };
  }

  [Symbol.dispose](): void {
    this.#delay.disable();
  }
}

/**
 * What `performance.now()` counts from, to a microsecond: at the moment when `Date.now()` changes. Whoever is interrupted
 * right then finds a time that is too early, so it is the latest of several.
 */
function epochMs(): number {
  return Math.max(...Array.from({ length: 8 }, epochAtNextMs));
}

function epochAtNextMs(): number {
  const before = Date.now();
  for (;;) {
    const now = Date.now();
    if (now !== before) return now - performance.now();
  }
}

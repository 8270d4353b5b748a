import { abortable, type Clock, systemClock } from '@nodecore/waiting';

import { readIoPressure, type ReadPressure } from './pressure.ts';

export type CourtesyOptions = {
  readonly read?: ReadPressure;
  readonly clock?: Clock;
  /** Share of time in which somebody waits for I/O at which trims pause; 0.2 unless given. */
  readonly high?: number;
  /** Share below which they go on; 0.1 unless given. */
  readonly low?: number;
  /** How long trims hold back at most before the next range is done all the same, in milliseconds; ten minutes unless given. */
  readonly patienceMs?: number;
};

/** Told when trims begin to hold back, and when they go on. */
export type OnPause = (paused: boolean) => void;

const probeMs = 20;
const probeEveryMs = 1000;
const pauseMs = 1000;
const averageMs = 15_000;

/**
 * Lets others have the disks: trims ask for a turn before every range, and wait while others wait for I/O.
 *
 * A discard counts as waiting for I/O as well, so while one of ours runs the pressure says nothing. It is measured while none
 * does: for 20 ms once a second, and all the time while trims pause. One for all trims of a process.
 */
export class Courtesy {
  readonly #read: ReadPressure;
  readonly #clock: Clock;
  readonly #high: number;
  readonly #low: number;
  readonly #patienceMs: number;
  readonly #listeners = new Set<OnPause>();
  #running = 0;
  #idle: PromiseWithResolvers<void> | undefined;
  #measuring: Promise<void> | undefined;
  #paused = false;
  #measuredMs: number | undefined;
  /** When our last range did. */
  #endedMs: number | undefined;

  constructor(options: CourtesyOptions = {}) {
    const { read = () => readIoPressure(), clock = systemClock } = options;
    const { high = 0.2, low = 0.1, patienceMs = 600_000 } = options;
    this.#read = read;
    this.#clock = clock;
    this.#high = high;
    this.#low = low;
    this.#patienceMs = patienceMs;
  }

  /** Does one range when it is its turn. */
  async run<T>(range: () => Promise<T>, onPause: OnPause, signal?: AbortSignal): Promise<T> {
    this.#listeners.add(onPause);
    try {
      if (this.#paused) onPause(true);
      await this.#turn(signal);
    } finally {
      this.#listeners.delete(onPause);
    }
    this.#running += 1;
    try {
      return await range();
    } finally {
      this.#running -= 1;
      this.#endedMs = this.#clock.now();
      if (this.#running === 0) this.#idle?.resolve();
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#measuring !== undefined) await settled(this.#measuring, signal);
      else if (this.#isFresh()) return;
      else {
        // Who measures may be aborted; then the next in line does.
        this.#measuring = this.#measure(signal).finally(() => {
          this.#measuring = undefined;
          this.#tell(false);
        });
        await this.#measuring;
        signal?.throwIfAborted();
        return;
      }
    }
  }

  #isFresh(): boolean {
    if (this.#measuredMs === undefined) return false;
    const ageMs = this.#clock.now() - this.#measuredMs;
    return ageMs >= 0 && ageMs < probeEveryMs;
  }

  /** Whether the average of the kernel, which is of ten seconds, is free of us. */
  #wasIdle(): boolean {
    return this.#endedMs === undefined || this.#clock.now() - this.#endedMs > averageMs;
  }

  async #measure(signal: AbortSignal | undefined): Promise<void> {
    await this.#quiet(signal);
    const first = await this.#read();
    if (first !== undefined) {
      const startedMs = this.#clock.now();
      let share = this.#wasIdle() ? first.recent : await this.#shareOver(probeMs, signal);
      if (share >= this.#high) this.#tell(true);
      while (this.#paused && share >= this.#low && this.#clock.now() - startedMs < this.#patienceMs)
        share = await this.#shareOver(pauseMs, signal);
    }
    this.#measuredMs = this.#clock.now();
  }

  /** Waits until no range of ours runs. */
  async #quiet(signal: AbortSignal | undefined): Promise<void> {
    if (this.#running === 0) return;
    this.#idle = Promise.withResolvers();
    await settled(this.#idle.promise, signal);
  }

  async #shareOver(ms: number, signal: AbortSignal | undefined): Promise<number> {
    const [before, startedMs] = [await this.#read(), this.#clock.now()];
    await this.#clock.sleep(ms, signal);
    const [after, endedMs] = [await this.#read(), this.#clock.now()];
    if (before === undefined || after === undefined) return 0;
    return Number(after.totalMicros - before.totalMicros) / 1000 / Math.max(1, endedMs - startedMs);
  }

  #tell(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    for (const listener of this.#listeners) listener(paused);
  }
}

/** Waits for the end of something, whatever it is, or rejects with the signal's reason. */
async function settled(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  await abortable(
    work.catch(() => {}),
    signal,
  );
}

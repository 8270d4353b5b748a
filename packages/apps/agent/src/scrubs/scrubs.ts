import { readFile } from 'node:fs/promises';

import { fieldsOf, type Json } from '@nodecore/state';
import { codeOf, writeFileAtomic } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { ScrubResult } from './scrub.ts';

/** A mounted filesystem that can be checked. */
export type ScrubTarget = { readonly volume: string; readonly target: string };

/** Milliseconds from one check of a volume to the next; undefined: it is not checked. */
export type IntervalOf = (volume: string) => number | undefined;

export type ScrubsParts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly targets: () => readonly ScrubTarget[];
  readonly scrub: (target: string, signal: AbortSignal) => Promise<ScrubResult>;
  /** Where is kept when each was checked last. @throws while the node has no state */
  readonly file: () => Promise<string>;
  readonly publish: (statuses: ReadonlyMap<string, Json>) => void;
};

/** What is due is seen so soon. */
const lookMs = 10_000;

/** Checks filesystems one after another, each when its interval is over, also when the node was off in between. */
export class Scrubs {
  readonly #parts: ScrubsParts;
  readonly #results = new Map<string, ScrubResult>();
  #intervalOf: IntervalOf | undefined;
  #last: Map<string, number> | undefined;

  constructor(parts: ScrubsParts) {
    this.#parts = parts;
  }

  /** @param intervalOf from one check to the next, as the configuration says. */
  configure(intervalOf: IntervalOf): void {
    this.#intervalOf = intervalOf;
    for (const volume of this.#results.keys())
      if (intervalOf(volume) === undefined) this.#results.delete(volume);
    this.#publish();
  }

  /** Until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    while (!signal.aborted) {
      await this.look(signal);
      await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
    }
  }

  /** Checks what is due now. */
  async look(signal: AbortSignal): Promise<void> {
    const { clock, targets, scrub, log } = this.#parts;
    for (const { volume, target } of targets()) {
      if (signal.aborted) break;
      const intervalMs = this.#intervalOf?.(volume);
      if (intervalMs === undefined) continue;
      const last = await this.#lastOf(volume);
      if (last === undefined || clock.now() - last < intervalMs) continue;
      const result = await scrub(target, signal);
      if (signal.aborted) break; // it was ended, and says nothing
      if (result.result !== 'clean') log.warn({ volume, ...result }, 'filesystem checked');
      this.#results.set(volume, result);
      await this.#note(volume, clock.now());
    }
    this.#publish();
  }

  /**
   * A filesystem that was not seen before is checked an interval later, as is one whose last check is still to come: the clock was
   * set back since. Undefined while nothing can be kept.
   */
  async #lastOf(volume: string): Promise<number | undefined> {
    const { file, clock } = this.#parts;
    try {
      this.#last ??= timesOf(await readFile(await file(), 'utf8').catch(missing));
      const last = this.#last.get(volume);
      if (last !== undefined && last <= clock.now()) return last;
      await this.#note(volume, clock.now());
      return this.#last.get(volume);
    } catch {
      return undefined; // STATE is not there yet
    }
  }

  async #note(volume: string, atMs: number): Promise<void> {
    const times = (this.#last ??= new Map());
    times.set(volume, atMs);
    await writeFileAtomic(await this.#parts.file(), `${JSON.stringify(Object.fromEntries(times))}\n`);
  }

  #publish(): void {
    const { targets, publish } = this.#parts;
    const statuses = targets().flatMap(({ volume, target }): [string, Json][] => {
      const intervalMs = this.#intervalOf?.(volume);
      if (intervalMs === undefined) return [];
      const result = this.#results.get(volume);
      const last = result && this.#last?.get(volume);
      const status = {
        mountpoint: target,
        intervalSeconds: intervalMs / 1000,
        ...(last !== undefined && { last: new Date(last).toISOString() }),
        ...result,
      };
      return [[volume, status]];
    });
    publish(new Map(statuses));
  }
}

/** Of a damaged file nothing: each filesystem is checked an interval later. */
function timesOf(text: string): Map<string, number> {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return new Map();
  }
  const entries = Object.entries(fieldsOf(value));
  return new Map(
    entries.flatMap(([name, time]) => (typeof time === 'number' ? [[name, time] as const] : [])),
  );
}

function missing(error: unknown): string {
  if (codeOf(error) !== 'ENOENT') throw error;
  return '{}';
}

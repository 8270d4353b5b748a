import { flag, type Flat, flat, type Nested, nested, single } from './format.ts';
import type { Limit, ReadText } from './text.ts';

/** `memory.swap.*`; bytes. */
export type SwapFiles = {
  readonly current: number | undefined;
  readonly peak: number | undefined;
  readonly high: Limit | undefined;
  readonly max: Limit | undefined;
  readonly events: Flat | undefined;
};

/** `memory.zswap.*`; bytes. */
export type ZswapFiles = {
  readonly current: number | undefined;
  readonly max: Limit | undefined;
  readonly writeback: boolean | undefined;
};

/** `memory.*`, apart from `memory.pressure`; bytes. Each property reads the text anew; undefined is absent. */
export class MemoryFiles {
  readonly #text: ReadText;

  constructor(text: ReadText) {
    this.#text = text;
  }

  get current(): number | undefined {
    return single(this.#text('memory.current'));
  }

  get peak(): number | undefined {
    return single(this.#text('memory.peak'));
  }

  get min(): Limit | undefined {
    return single(this.#text('memory.min'));
  }

  get low(): Limit | undefined {
    return single(this.#text('memory.low'));
  }

  get high(): Limit | undefined {
    return single(this.#text('memory.high'));
  }

  get max(): Limit | undefined {
    return single(this.#text('memory.max'));
  }

  get stat(): Flat | undefined {
    return flat(this.#text('memory.stat'));
  }

  /** By what is counted; in each `N0`, `N1`, … */
  get numaStat(): Nested | undefined {
    return nested(this.#text('memory.numa_stat'));
  }

  /** `low`, `high`, `max`, `oom`, `oom_kill`, `oom_group_kill`, with those of all descendants. */
  get events(): Flat | undefined {
    return flat(this.#text('memory.events'));
  }

  get eventsLocal(): Flat | undefined {
    return flat(this.#text('memory.events.local'));
  }

  /** Whether the OOM killer takes all processes of the cgroup or none. */
  get oomGroup(): boolean | undefined {
    return flag(this.#text('memory.oom.group'));
  }

  get swap(): SwapFiles {
    const text = this.#text;
    return {
      current: single(text('memory.swap.current')),
      peak: single(text('memory.swap.peak')),
      high: single(text('memory.swap.high')),
      max: single(text('memory.swap.max')),
      events: flat(text('memory.swap.events')),
    };
  }

  get zswap(): ZswapFiles {
    const text = this.#text;
    return {
      current: single(text('memory.zswap.current')),
      max: single(text('memory.zswap.max')),
      writeback: flag(text('memory.zswap.writeback')),
    };
  }
}

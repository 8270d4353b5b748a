import { flag, type Flat, flat, parseNumber, single, words } from './format.ts';
import type { Limit, ReadText } from './text.ts';

/** `cpu.max`: so much time per period; both in microseconds. */
export type CpuMax = { readonly quotaUs: Limit; readonly periodUs: number };

/** `cpu.*`, apart from `cpu.pressure`. Each property reads the text anew; undefined is absent. */
export class CpuFiles {
  readonly #text: ReadText;

  constructor(text: ReadText) {
    this.#text = text;
  }

  /** `usage_usec`, `user_usec`, `system_usec`, `nr_throttled`, … */
  get stat(): Flat | undefined {
    return flat(this.#text('cpu.stat'));
  }

  get statLocal(): Flat | undefined {
    return flat(this.#text('cpu.stat.local'));
  }

  get max(): CpuMax | undefined {
    const [quotaUs, periodUs] = words(this.#text('cpu.max'))?.map(parseNumber) ?? [];
    return quotaUs === undefined || periodUs === undefined ? undefined : { quotaUs, periodUs };
  }

  get maxBurstUs(): number | undefined {
    return single(this.#text('cpu.max.burst'));
  }

  get weight(): number | undefined {
    return single(this.#text('cpu.weight'));
  }

  /** -20 to 19. */
  get weightNice(): number | undefined {
    return single(this.#text('cpu.weight.nice'));
  }

  get idle(): boolean | undefined {
    return flag(this.#text('cpu.idle'));
  }

  /** Percent of a processor's capacity that is asked for at least; 0 to 100. */
  get uclampMin(): Limit | undefined {
    return single(this.#text('cpu.uclamp.min'));
  }

  /** And at most; Infinity is no limit. */
  get uclampMax(): Limit | undefined {
    return single(this.#text('cpu.uclamp.max'));
  }
}

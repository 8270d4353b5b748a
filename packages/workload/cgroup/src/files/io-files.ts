import { firstLine, type Flat, flat, type Nested, nested, single } from './format.ts';
import type { ReadText } from './text.ts';

/** `io.*`, apart from `io.pressure`; devices are `major:minor`. Each property reads the text anew; undefined is absent. */
export class IoFiles {
  readonly #text: ReadText;

  constructor(text: ReadText) {
    this.#text = text;
  }

  /** `rbytes`, `wbytes`, `rios`, `wios`, `dbytes`, `dios` by device. */
  get stat(): Nested | undefined {
    return nested(this.#text('io.stat'));
  }

  /** `rbps`, `wbps`, `riops`, `wiops` by device; Infinity where there is no limit. */
  get max(): Nested | undefined {
    return nested(this.#text('io.max'));
  }

  /** By device; `default` for the others. */
  get weight(): Flat | undefined {
    return weights(this.#text('io.weight'));
  }

  get bfqWeight(): Flat | undefined {
    return weights(this.#text('io.bfq.weight'));
  }

  /** `target` in microseconds, by device. */
  get latency(): Nested | undefined {
    return nested(this.#text('io.latency'));
  }

  /** Of the root: iocost's parameters by device. */
  get costQos(): Nested | undefined {
    return nested(this.#text('io.cost.qos'));
  }

  get costModel(): Nested | undefined {
    return nested(this.#text('io.cost.model'));
  }

  /** `no-change`, `promote-to-rt`, `restrict-to-be`, `idle`. */
  get priorityClass(): string | undefined {
    return firstLine(this.#text('io.prio.class'));
  }
}

/** `io.bfq.weight` is one number where no device has its own. */
function weights(text: string | undefined): Flat | undefined {
  const all = single(text);
  return all === undefined ? flat(text) : new Map([['default', all]]);
}

import { firstLine, type Range, ranges } from './format.ts';
import type { ReadText } from './text.ts';

/** `cpuset.*`: ranges of processors and memory nodes. Each property reads the text anew; undefined is absent. */
export class CpusetFiles {
  readonly #text: ReadText;

  constructor(text: ReadText) {
    this.#text = text;
  }

  /** Asked for; none means the parent's. */
  get cpus(): readonly Range[] | undefined {
    return ranges(this.#text('cpuset.cpus'));
  }

  get cpusEffective(): readonly Range[] | undefined {
    return ranges(this.#text('cpuset.cpus.effective'));
  }

  get cpusExclusive(): readonly Range[] | undefined {
    return ranges(this.#text('cpuset.cpus.exclusive'));
  }

  get cpusExclusiveEffective(): readonly Range[] | undefined {
    return ranges(this.#text('cpuset.cpus.exclusive.effective'));
  }

  get mems(): readonly Range[] | undefined {
    return ranges(this.#text('cpuset.mems'));
  }

  get memsEffective(): readonly Range[] | undefined {
    return ranges(this.#text('cpuset.mems.effective'));
  }

  /** `member`, `root`, `isolated`, or one of them with `invalid` and a reason. */
  get partition(): string | undefined {
    return firstLine(this.#text('cpuset.cpus.partition'));
  }
}

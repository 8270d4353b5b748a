import { firstLine, flag, type Flat, flat, numbers, single, words } from './format.ts';
import type { Limit, ReadText } from './text.ts';

/** `cgroup.*`. Each property reads the text anew; undefined is absent. */
export class CoreFiles {
  readonly #text: ReadText;

  constructor(text: ReadText) {
    this.#text = text;
  }

  /** Process ids; 0 is a process that this PID namespace does not see. */
  get procs(): readonly number[] | undefined {
    return numbers(this.#text('cgroup.procs'));
  }

  get threads(): readonly number[] | undefined {
    return numbers(this.#text('cgroup.threads'));
  }

  /** `populated`, `frozen`. */
  get events(): Flat | undefined {
    return flat(this.#text('cgroup.events'));
  }

  /** `nr_descendants`, `nr_dying_descendants`, and more since Linux 6.12. */
  get stat(): Flat | undefined {
    return flat(this.#text('cgroup.stat'));
  }

  /** Since Linux 6.18. */
  get statLocal(): Flat | undefined {
    return flat(this.#text('cgroup.stat.local'));
  }

  get freeze(): boolean | undefined {
    return flag(this.#text('cgroup.freeze'));
  }

  /** `domain`, `domain threaded`, `domain invalid`, `threaded`. */
  get type(): string | undefined {
    return firstLine(this.#text('cgroup.type'));
  }

  get controllers(): readonly string[] | undefined {
    return words(this.#text('cgroup.controllers'));
  }

  get subtreeControl(): readonly string[] | undefined {
    return words(this.#text('cgroup.subtree_control'));
  }

  get maxDepth(): Limit | undefined {
    return single(this.#text('cgroup.max.depth'));
  }

  get maxDescendants(): Limit | undefined {
    return single(this.#text('cgroup.max.descendants'));
  }

  /** Whether the kernel accounts pressure for this cgroup. */
  get pressure(): boolean | undefined {
    return flag(this.#text('cgroup.pressure'));
  }
}

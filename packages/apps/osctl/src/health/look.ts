import type { CallOptions } from '@nodecore/api';

import type { Target } from '../nodes/target.ts';

/** A node that does not answer is not waited for longer: it is asked again. */
const answerMs = 10_000;
/** The last look, and that of a wait which is shorter, still finds out why a node is not well. */
const leastMs = 1_000;

/** One look at nodes: all of its calls end when the wait for health does. */
export class Look {
  readonly signal: AbortSignal;
  readonly #endMs: number;

  /** `endMs` of `performance.now()`; infinite: the look is not part of a wait. */
  constructor(signal: AbortSignal, endMs: number) {
    this.signal = signal;
    this.#endMs = Math.max(endMs, performance.now() + leastMs);
  }

  /** For a call to a node that begins now. */
  options({ node }: Target): CallOptions {
    const leftMs = Math.max(0, this.#endMs - performance.now());
    return { node, signal: this.signal, timeoutMs: Math.min(answerMs, leftMs) };
  }
}

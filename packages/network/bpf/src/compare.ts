import type { Context } from './context.ts';
import { run } from './interpreter.ts';
import type { Program } from './program.ts';

/** A packet to try programs on. */
export type Sample = {
  /** From the link-layer header on. */
  readonly bytes: Uint8Array;
  readonly context?: Context;
};

/** A packet that two programs treat differently. */
export type Counterexample = {
  /** Which of the samples, counted from 0. */
  readonly index: number;
  readonly sample: Sample;
  /** How many bytes the first program wants; 0 refuses. */
  readonly first: number;
  /** How many bytes the second program wants. */
  readonly second: number;
};

/**
 * Runs two programs on each packet of a corpus and returns the first that they treat differently; undefined when there
 * is none, which proves as much as the corpus is worth.
 *
 * @param by what counts: whether the packet is accepted (the default), or also how many of its bytes.
 */
export function compare(
  first: Program,
  second: Program,
  corpus: Iterable<Sample>,
  { by = 'acceptance' }: { readonly by?: 'acceptance' | 'length' } = {},
): Counterexample | undefined {
  let index = 0;
  for (const sample of corpus) {
    const length = sample.context?.length ?? sample.bytes.length;
    const a = run(first, sample.bytes, sample.context);
    const b = run(second, sample.bytes, sample.context);
    const same = by === 'length' ? Math.min(a, length) === Math.min(b, length) : (a === 0) === (b === 0);
    if (!same) return { index, sample, first: a, second: b };
    index += 1;
  }
  return undefined;
}

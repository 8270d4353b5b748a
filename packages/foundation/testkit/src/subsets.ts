export type SubsetOptions = {
  /** All subsets up to this many; beyond it those that say most, and a sample that fills up to it. 64 by default. */
  readonly limit?: number;
  /** The same seed chooses the same sample. */
  readonly seed?: number;
};

/**
 * Subsets of `count` things, as ascending lists of their places from 0: what may have arrived of the writes that nothing
 * had made durable.
 *
 * All of them while there are at most `limit`. Of more: none, all, each alone, all but each, and a sample.
 */
export function subsets(count: number, { limit = 64, seed = 1 }: SubsetOptions = {}): readonly number[][] {
  const places = Array.from({ length: count }, (_, place) => place);
  if (2 ** count <= limit) {
    return Array.from({ length: 2 ** count }, (_, bits) => places.filter((place) => (bits >> place) & 1));
  }
  const found = new Map<string, number[]>();
  const add = (subset: number[]): void => void found.set(subset.join(), subset);
  add([]);
  add(places);
  for (const place of places) {
    add([place]);
    add(places.filter((other) => other !== place));
  }
  const isHeads = coin(seed);
  while (found.size < limit) add(places.filter(isHeads));
  return [...found.values()];
}

/** Tosses that repeat: the high bit of a linear congruential generator (Numerical Recipes). */
function coin(seed: number): () => boolean {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >= 2 ** 31;
  };
}

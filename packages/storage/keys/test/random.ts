export type Pick = (below: number) => number;

/** Numbers from a seed, so that a failure can be run again (mulberry32). */
export function random(seed: number): Pick {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One of the list, which is not empty. */
export function oneOf<T>(pick: Pick, list: readonly T[]): T {
  const chosen = list[pick(list.length)];
  if (chosen === undefined) throw new TypeError('nothing to choose from');
  return chosen;
}

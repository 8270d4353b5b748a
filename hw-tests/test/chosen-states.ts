import type { CrashState } from '../src/log-writes/index.ts';

/** All of them, or as many as `most` spread over the operation with a beginning that depends on the seed. */
export function chosenStates(
  states: readonly CrashState[],
  { most, seed }: { readonly most: number; readonly seed: number },
): readonly CrashState[] {
  const stride = Math.max(1, states.length / most);
  const offset = (seed % 1000) / 1000;
  const count = Math.min(states.length, most);
  return Array.from({ length: count }, (_, index) => states[Math.floor((index + offset) * stride)]).filter(
    (state) => state !== undefined,
  );
}

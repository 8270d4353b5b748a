import type { ExecutionContext } from 'ava';

/** Writes down how long each part of a test took. */
export function stopwatch(t: ExecutionContext): (what: string) => void {
  let last = performance.now();
  return (what) => {
    const now = performance.now();
    t.log(`${what}: ${((now - last) / 1000).toFixed(1)} s`);
    last = now;
  };
}

import type { Clock } from './clock.ts';

/**
 * Waits for a read of a device or a filesystem, but not for ever: what hangs answers never. The read itself can't be
 * interrupted; only its result is given up. A caller that asks again while it hangs ties up one more thread of the pool.
 *
 * @returns undefined after the deadline.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  reading: Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  const answered = new AbortController();
  const late = clock.sleep(ms, answered.signal).then(
    () => undefined,
    () => undefined, // answered in time
  );
  reading.catch(() => {}); // after the deadline nobody listens any more
  try {
    return await Promise.race([reading.then((value) => ({ value })), late]);
  } finally {
    answered.abort();
  }
}

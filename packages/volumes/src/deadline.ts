import type { Clock } from '@nodecore/sys';

import { VolumeError } from './errors.ts';

/**
 * Waits for a read of a device, but not for ever: a hung disk answers never. The read itself can't be interrupted;
 * only its result is given up.
 */
export async function within<T>(clock: Clock, ms: number, what: string, read: () => Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = clock.sleep(ms, answered.signal).then(
    () => true,
    () => false, // answered in time
  );
  const reading = read();
  try {
    const result = await Promise.race([reading.then((value) => ({ value })), late]);
    if (typeof result === 'object') return result.value;
    reading.catch(() => {}); // nobody listens any more
    throw new VolumeError('ERR_VOLUME_NO_ANSWER', what, `${what} does not answer`, 'transient');
  } finally {
    answered.abort();
  }
}

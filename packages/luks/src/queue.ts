import { isMainThread } from 'node:worker_threads';

import { Serial } from '@nodecore/sys';

/** libcryptsetup and the libraries below it are not thread-safe: one operation at a time in the whole process. */
const serial = new Serial();

/**
 * Runs one operation on the library when its turn comes. Memory-hard key derivations are serialised by it, too.
 *
 * A signal that fires while the operation waits rejects at once; the operation then never starts. After the start the
 * operation itself looks at the signal, because a C call can't be interrupted.
 */
export function exclusively<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!isMainThread) {
    // A queue per thread would be no queue at all.
    return Promise.reject(new TypeError('luks works on the main thread only'));
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal?.reason);
    if (signal?.aborted === true) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const turn = serial.run(() => {
      signal?.removeEventListener('abort', onAbort);
      return task();
    }, signal);
    turn.then(resolve, reject);
  });
}

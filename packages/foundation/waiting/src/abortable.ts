import { onAbort } from './on-abort.ts';

/**
 * Waits for `work`, but not beyond the signal. The work itself goes on; a result that comes later is dropped, and so is
 * a later failure, which is not reported as unhandled.
 *
 * Give it work of its own: a promise that outlives many waits keeps a little of each of them.
 *
 * @throws `signal.reason` as soon as the signal fires; whatever `work` rejects with.
 * @example
 * const entry = await abortable(device.read(offset), signal);
 */
export async function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return await work;
  const { promise: gone, reject } = Promise.withResolvers<never>();
  using _listener = onAbort(signal, reject);
  return await Promise.race([gone, work]); // in this order: what has been aborted does not go on
}

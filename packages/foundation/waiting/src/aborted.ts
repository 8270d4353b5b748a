import { onAbort } from './on-abort.ts';

/**
 * Resolves when the signal fires, at once when it has. It listens until then: for what lasts as long as the signal
 * does. To give up something earlier, use `onAbort` or `abortable`.
 */
export async function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onAbort(signal, () => resolve());
  await promise;
}

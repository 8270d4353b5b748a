import { getEventListeners } from 'node:events';

/** How many listeners a signal has now: a wait that is over leaves none. */
export function listeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

/** One turn of the loop: what can go on has gone on. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What a promise has come to by now. */
export async function stateOf(promise: Promise<unknown>): Promise<'pending' | 'resolved' | 'rejected'> {
  let state: 'pending' | 'resolved' | 'rejected' = 'pending';
  promise.then(
    () => (state = 'resolved'),
    () => (state = 'rejected'),
  );
  await settle();
  return state;
}

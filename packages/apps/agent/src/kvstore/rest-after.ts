import type { Backoff } from '@nodecore/waiting';

/** A kvstore takes in one member at a time, and the next when all have heard of each other for five seconds. */
const turns: readonly string[] = ['ERR_KVSTORE_LEARNER', 'ERR_KVSTORE_QUORUM'];
const turnMs = 1000;
/** From then on it is no matter of turns. */
const mostTurns = 15;

/** How long a member rests that has failed with this code: not long while it waits for its turn to join. */
export function restAfter(code: string, backoff: Backoff): number {
  const restMs = backoff.next();
  return turns.includes(code) && backoff.failures <= mostTurns ? Math.min(restMs, turnMs) : restMs;
}

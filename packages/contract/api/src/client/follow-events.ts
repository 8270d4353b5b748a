import { Backoff, systemClock, type Clock } from '@nodecore/waiting';

import type { EventsRequestInit, EventsResponse, NodeEvent } from '../../gen/nodecore-v1.js';
import { ApiError, type ApiErrorCode } from '../errors.ts';
import type { CallOptions } from './channel.ts';
import type { Client } from './connect.ts';

export type FollowEventsOptions = CallOptions & {
  /** Called when the connection was lost, before it is made again; not anew while the same is in the way. */
  readonly onInterruption?: (error: unknown) => void;
  /** Also before the first answer a lost connection is made again: for a node that is about to come back. */
  readonly persistent?: boolean;
  readonly clock?: Clock;
};

/** Failures of the connection, and of a node that does not know its past yet. */
const passing: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>([
  'ERR_API_UNREACHABLE',
  'ERR_API_CANCELLED',
  'ERR_API_EXHAUSTED',
]);

/**
 * Events of a node as long as the loop runs, over lost connections and reboots: each once, and none is left out. Before the first
 * answer a failure is thrown; later, only failures that trying again can't mend are, such as events that the node has not kept.
 */
export async function* followEvents(
  client: Pick<Client, 'events'>,
  request: EventsRequestInit,
  { onInterruption = () => {}, clock = systemClock, persistent = false, ...call }: FollowEventsOptions = {},
): AsyncGenerator<readonly NodeEvent[], void, void> {
  const backoff = new Backoff({ firstMs: 200, largestMs: 5_000 });
  let cursor: string | undefined;
  let told: string | undefined;
  for (;;) {
    try {
      for await (const { events, cursor: next } of client.events(goingOn(request, cursor), call)) {
        cursor = next;
        told = undefined;
        backoff.reset();
        yield events;
      }
      if (request.pastOnly === true) return;
    } catch (error) {
      call.signal?.throwIfAborted();
      const isPassing = error instanceof ApiError && passing.has(error.code);
      if (!isPassing || (cursor === undefined && !persistent)) throw error;
      if (error.message !== told) onInterruption(error);
      told = error.message;
    }
    await clock.sleep(backoff.next(), call.signal);
  }
}

/** The same question, from where the answers have ended. Of a node that had no event yet, all of them are new. */
function goingOn(
  request: EventsRequestInit,
  cursor: EventsResponse['cursor'] | undefined,
): EventsRequestInit {
  if (cursor === undefined) return request;
  const { withActorId, pastOnly } = request;
  return { withActorId, pastOnly, ...(cursor === '' ? { tailEvents: -1 } : { tailId: cursor }) };
}

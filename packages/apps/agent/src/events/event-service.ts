import type { EventServiceHandlers, EventsRequest, EventsResponseInit } from '@nodecore/api/event';

import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';
import { EventError } from './errors.ts';
import { isEventId } from './event-ids.ts';
import type { EventLog, EventsStart } from './event-log.ts';
import { wireEvent } from './event-wire.ts';

/** Events of one answer. */
const batchSize = 64;

export type EventServiceParts = {
  readonly events: EventLog;
  /** Whether events of earlier boots may still become known. */
  readonly mayPastCome: () => boolean;
};

/** Events for callers. */
export function eventHandlers(
  { events: log, mayPastCome }: EventServiceParts,
  options: HandlerOptions,
): EventServiceHandlers {
  return {
    events: streaming(
      options,
      async function* (request: EventsRequest, { signal }: CallContext): AsyncGenerator<EventsResponseInit> {
        let place = log.placeOf(startOf(request), mayPastCome());
        const end = request.pastOnly ? log.end : Infinity;
        const { withActorId } = request;
        yield { cursor: log.idBefore(place) };
        while (!signal.aborted && place < end) {
          const { events, lost, next } = log.from(place);
          if (lost > 0)
            throw new EventError(
              'ERR_EVENT_LOST',
              `the reader is too slow: ${lost} events that it has not read are not kept any more`,
            );
          const batch = events.slice(0, Math.min(batchSize, end - place));
          place = Math.min(next, place + batch.length);
          const cursor = batch.at(-1)?.id;
          if (cursor === undefined) {
            await log.more(signal).catch(() => {}); // the loop asks the signal
            continue;
          }
          const wanted = batch.filter(({ actorId }) => withActorId === '' || actorId === withActorId);
          // Where nothing is wanted the cursor is told, too: the last one may be of an event that is not kept any more by the time
          // that a caller comes back.
          if (wanted.length > 0 || place === log.end) yield { events: wanted.map(wireEvent), cursor };
        }
      },
    ),
  };
}

/** @throws {EventError} `ERR_EVENT_REQUEST` */
function startOf({ tailEvents, tailId, tailSeconds }: EventsRequest): EventsStart {
  const asked = [tailEvents !== 0, tailId !== '', tailSeconds !== 0].filter(Boolean).length;
  if (asked > 1)
    throw new EventError(
      'ERR_EVENT_REQUEST',
      'tail_events, tail_id and tail_seconds are three ways into the past: ask for one of them',
    );
  if (tailEvents < -1) throw new EventError('ERR_EVENT_REQUEST', 'tail_events is -1, 0 or more');
  if (tailId !== '') {
    if (!isEventId(tailId)) throw new EventError('ERR_EVENT_REQUEST', 'tail_id is no id of an event');
    return { since: tailId };
  }
  return tailSeconds !== 0 ? { seconds: tailSeconds } : { tail: tailEvents };
}

import { FakeClock } from '@nodecore/testkit/fake-clock';

import type { EventData } from '../src/events/event.ts';
import { EventLog } from '../src/events/event-log.ts';

/** Events of a machine whose clock stands still. */
export function eventsOf(): EventLog {
  return new EventLog({ clock: new FakeClock(), bootId: 'boot' });
}

/** `reboot start`, `phase stopServices stop`, …, each behind its actor where it is told. */
export function wordsOf(events: EventLog, { actors = false } = {}): string[] {
  return events.from(events.placeOf({ tail: -1 })).events.map(({ data, actorId }) => {
    const words = wordOf(data);
    return actors ? `${actorId} ${words}` : words;
  });
}

function wordOf(data: EventData): string {
  if (data.type === 'phase') return `${data.phase} ${data.action}`;
  if (data.type === 'task') return `- ${data.task} ${data.action}`;
  if (data.type !== 'sequence') return data.type;
  const why = data.error === undefined ? '' : ` ${data.error.code}`;
  return `${data.sequence} ${data.action}${why}`;
}

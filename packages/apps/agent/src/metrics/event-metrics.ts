import type { Registry } from 'prom-client';

import type { EventLog } from '../events/event-log.ts';
import { counter } from './made.ts';

/** What happened on the node, counted. */
export function eventMetrics(registry: Registry, events: Pick<EventLog, 'counts'>): void {
  counter(
    registry,
    { name: 'nodeos_events_total', help: 'Events by what they say.', labelNames: ['event'] },
    () => [...events.counts].map(([event, value]) => ({ labels: { event }, value })),
  );
}

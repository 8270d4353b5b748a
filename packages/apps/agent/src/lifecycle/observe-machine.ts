import { hostname } from 'node:os';

import { fieldsOf, type Kind, type Resource, type Store } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import type { EventData } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { kindOf } from '../resources/definitions.ts';
import { machineStatuses } from './definitions.ts';
import type { MachineStatus } from './machine-status.ts';

/** Nothing announces an address. */
const lookMs = 2000;

export type ObservedParts = {
  readonly store: Pick<Store, 'watch'>;
  readonly events: Pick<EventLog, 'emit'>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** By which addresses others reach the machine; undefined where its network is not the node's own. */
  readonly addresses: () => readonly string[] | undefined;
  readonly hostname?: () => string;
};

/** Tells of what the node's resources come to: each that is another one than before is an event. Until the signal fires. */
export async function observeMachine(parts: ObservedParts, signal: AbortSignal): Promise<void> {
  await Promise.all([
    observe(parts, kindOf(machineStatuses), machineStatusData, signal),
    observeAddresses(parts, signal),
  ]);
}

/** Every state of every resource of a kind, also those that last a moment. */
async function observe(
  { store, events }: ObservedParts,
  kind: Kind,
  dataOf: (resource: Resource) => EventData | undefined,
  signal: AbortSignal,
): Promise<void> {
  const told = new Map<string, string>();
  while (!signal.aborted) {
    for await (const batch of store.watch(kind, { signal })) {
      for (const event of batch) {
        if (event.type !== 'created' && event.type !== 'updated') continue;
        const data = dataOf(event.resource);
        const text = JSON.stringify(data);
        const { id } = event.resource.metadata;
        if (data === undefined || told.get(id) === text) continue;
        told.set(id, text);
        events.emit(data);
      }
    }
  }
}

async function observeAddresses(
  { events, clock, addresses, hostname: name = hostname }: ObservedParts,
  signal: AbortSignal,
): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    const found = addresses();
    if (found !== undefined) {
      const data: EventData = { type: 'address', hostname: name(), addresses: found.toSorted() };
      const text = JSON.stringify(data);
      if (text !== told) events.emit(data);
      told = text;
    }
    await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
  }
}

function machineStatusData({ spec }: Resource): EventData {
  const { stage, status } = fieldsOf(spec) as unknown as MachineStatus;
  const { ready, unmetConditions } = status;
  return { type: 'machineStatus', stage, ready, unmetConditions };
}

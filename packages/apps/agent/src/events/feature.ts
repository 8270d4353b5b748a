import { EventService } from '@nodecore/api/event';
import { codeOf } from '@nodecore/sys';
import { Backoff } from '@nodecore/waiting';

import { maintenanceStatuses } from '../maintenance/definitions.ts';
import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature, given } from '../supervisor/feature.ts';
import { EventFile } from './event-file.ts';
import { EventKeeper } from './event-keeper.ts';
import type { EventLog } from './event-log.ts';
import { eventHandlers } from './event-service.ts';

/** What happened, for those who tell of it: it is there before all features, whose beginnings are events. */
export const eventLog: Feature<EventLog> = given('event log');

/** As often it is looked whether STATE is open. */
const lookMs = 500;

/** Events for callers, and for those who ask after a reboot. */
export const events: Feature<undefined> = feature({
  name: 'events',
  needs: { node, eventLog, persistence },
  reads: [maintenanceStatuses],
  make: ({ node: { log, clock, store }, eventLog: all, persistence: state }) => {
    let keeper: EventKeeper | undefined;
    const opened = async (): Promise<EventKeeper> => {
      const { file, past } = await EventFile.open(await state.path('events'));
      if (!all.isPastKnown) all.setPast(past);
      return new EventKeeper({ log, clock, events: all, file });
    };
    const keep = async (signal: AbortSignal): Promise<void> => {
      const backoff = new Backoff({ firstMs: 1000, largestMs: 60_000 });
      while (!signal.aborted) {
        let delayMs = lookMs;
        try {
          keeper ??= await opened();
          return await keeper.run(signal);
        } catch (error) {
          const code = codeOf(error);
          if (code !== 'ERR_STATE_NOT_READY') {
            log.warn({ code, err: error }, 'events of earlier boots are not known');
            delayMs = backoff.next();
          }
        }
        await clock.sleep(delayMs, signal).catch(() => {}); // the loop asks the signal
      }
    };
    // In maintenance nothing is kept: nobody shall wait for a past.
    const mayPastCome = (): boolean =>
      store.get({ ...kindOf(maintenanceStatuses), id: 'maintenance' }) === undefined;
    return {
      handle: undefined,
      // Callers follow the end of the machine, too: their stream ends with the server.
      services: ({ closing, ...calls }) => [
        servicePart(
          EventService,
          eventHandlers({ events: all, mayPastCome }, { ...calls, stopping: closing }),
        ),
      ],
      run: keep,
      // The volume below goes after this: what still happens is in memory alone.
      close: async () => void (await keeper?.write()),
    };
  },
});

import { join } from 'node:path';

import { SupervisorService } from '@nodecore/api/service';
import type { Json } from '@nodecore/state';
import { type ServiceEvent, type ServiceState, Supervisor } from '@nodecore/supervisor';
import { codeOf } from '@nodecore/sys';
import { abortable } from '@nodecore/waiting';

import { bootIdOf } from '../boot-id.ts';
import type { EventData } from '../events/event.ts';
import { eventLog } from '../events/feature.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { systemLogSources } from '../system-logs/sources.ts';
import { servicePids, serviceStatuses } from './definitions.ts';
import { NodeServices } from './node-services.ts';
import { servicePidSpec, serviceSpec } from './service-spec.ts';
import { supervisorHandlers } from './supervisor-service.ts';

/** Programs of a former agent that nobody wants by then are ended. */
const unclaimedMs = 60_000;
/** Another agent may have them for so long as it ends. */
const retryMs = 1000;
const owner = 'services';
/** Of all services, on a machine that is the node's own. */
const cgroups = '/sys/fs/cgroup/system';

/** The programs that the node keeps running, for the features that have some and for callers. */
export const services: Feature<NodeServices> = feature({
  name: 'services',
  needs: { node, eventLog },
  writes: [servicePids, serviceStatuses],
  make: ({ node: { store, clock, log, options, runDirectory }, eventLog: events }) => {
    const told = (id: string, { state, message }: ServiceEvent): void => {
      const level = state === 'Failed' ? 'warn' : 'info';
      log[level]({ service: id, state, ...(message !== '' && { reason: message }) }, 'service');
      events.emit({ type: 'service', service: id, action: actionOf(state), message });
    };
    const isOwnMachine = options.image !== undefined;
    const handle = new NodeServices({
      directory: join(runDirectory, 'supervisor'),
      tethered: !isOwnMachine && options.keepServices !== true,
      cgroups: isOwnMachine ? cgroups : undefined,
      clock,
      told,
    });
    const systemLogs = systemLogSources({ isOwnMachine, lines: options.lines });
    const publish = ({ list }: Supervisor): void => {
      store.replace(
        kindOf(serviceStatuses),
        new Map(list.map((each) => [each.id, serviceSpec(each)])),
        owner,
      );
      const pids = list.flatMap((each): [string, Json][] => {
        const spec = servicePidSpec(each);
        return spec === undefined ? [] : [[each.id, spec]];
      });
      store.replace(kindOf(servicePids), new Map(pids), owner);
    };
    const configured = Promise.withResolvers<void>();
    const endUnclaimed = async (signal: AbortSignal): Promise<void> => {
      await abortable(configured.promise, signal);
      await clock.sleep(unclaimedMs, signal);
      await (await handle.open()).endUnclaimed();
    };
    return {
      handle,
      services: (calls) => [
        servicePart(
          SupervisorService,
          supervisorHandlers(
            { open: () => handle.open(), systemLogs, bootId: bootIdOf(options), lostLogs: handle.lostLogs },
            calls,
          ),
        ),
      ],
      run: async (signal) => {
        const supervisor = await opened(handle, async (error) => {
          log.warn({ code: codeOf(error), err: error }, 'services are not there yet');
          await clock.sleep(retryMs, signal);
        });
        endUnclaimed(signal).catch((error: unknown) => {
          if (!signal.aborted) log.warn({ err: error }, 'programs of a former agent go on');
        });
        while (!signal.aborted) {
          const next = supervisor.changed.next(signal).catch(() => {}); // the loop asks the signal
          publish(supervisor);
          await next;
        }
      },
      configure: () => configured.resolve(),
      close: () => handle.close(),
    };
  },
});

/** @param failed waits before it is tried again; what it throws ends the wait. */
async function opened(handle: NodeServices, failed: (error: unknown) => Promise<void>): Promise<Supervisor> {
  for (;;) {
    try {
      return await handle.open();
    } catch (error) {
      await failed(error);
    }
  }
}

function actionOf(state: ServiceState): (EventData & { type: 'service' })['action'] {
  return state.toLowerCase() as (EventData & { type: 'service' })['action'];
}

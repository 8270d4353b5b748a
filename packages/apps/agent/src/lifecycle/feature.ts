import { MachineService } from '@nodecore/api/machine';
import type { Json } from '@nodecore/state';
import { aborted } from '@nodecore/waiting';

import { api } from '../api/feature.ts';
import { captures } from '../captures/feature.ts';
import { shutdownOf } from '../image/shutdown.ts';
import { eventLog } from '../events/feature.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { machineSequences } from './definitions.ts';
import { followBoot } from './follow-boot.ts';
import { Lifecycle } from './lifecycle.ts';
import { lifecycleHandlers } from './lifecycle-service.ts';

/** What holds the machine as a whole: reboot and shutdown, which PID 1 does when the agent has ended everything, and its like. */
export const lifecycle: Feature<Lifecycle> = feature({
  name: 'lifecycle',
  needs: { node, api, captures, eventLog },
  writes: [machineSequences],
  make: ({
    node: { options, store, log, clock, end },
    api: { server },
    captures: running,
    eventLog: events,
  }) => {
    const handle = new Lifecycle({
      log,
      init: options.init ?? options.container,
      clock,
      ...(options.image && { off: () => shutdownOf(options.image!.kernelCommandLine) }),
      events,
      quiesce: async () => {
        server.quiesce();
        await running.end();
      },
      entered: (sequence) => {
        const specs: ReadonlyMap<string, Json> = new Map(sequence && [['machine', { sequence }]]);
        store.replace(kindOf(machineSequences), specs, 'lifecycle');
      },
      end,
    });
    return {
      handle,
      run: async (signal) => {
        await followBoot({ store, sequences: handle.sequences }, signal);
        await aborted(signal);
      },
      services: (calls) => [servicePart(MachineService, lifecycleHandlers(handle, calls))],
    };
  },
});

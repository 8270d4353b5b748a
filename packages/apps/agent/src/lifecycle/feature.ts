import { MachineService } from '@nodecore/api/machine';
import type { Json } from '@nodecore/state';

import { api } from '../api/feature.ts';
import { captures } from '../captures/feature.ts';
import { shutdownOf } from '../image/shutdown.ts';
import { node } from '../node.ts';
import { resets } from '../resets/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { machineSequences } from './definitions.ts';
import { Lifecycle } from './lifecycle.ts';
import { lifecycleHandlers } from './lifecycle-service.ts';

/** Reboot and shutdown of the machine, which PID 1 does when the agent has ended everything. */
export const lifecycle: Feature<Lifecycle> = feature({
  name: 'lifecycle',
  needs: { node, api, captures, resets },
  writes: [machineSequences],
  make: ({
    node: { options, store, log, clock, end },
    api: { server },
    captures: running,
    resets: resetting,
  }) => {
    const handle = new Lifecycle({
      log,
      init: options.init,
      clock,
      ...(options.image && { off: () => shutdownOf(options.image!.kernelCommandLine) }),
      requireIdle: () => resetting.requireIdle(),
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
      services: (calls) => [servicePart(MachineService, lifecycleHandlers(handle, calls))],
    };
  },
});

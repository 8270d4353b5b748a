import { MachineService } from '@nodecore/api/machine';

import { configuration } from '../configuration/feature.ts';
import { eventLog } from '../events/feature.ts';
import { node } from '../node.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { clientConfigurationHandlers } from './client-configuration.ts';
import { machineService } from './machine-service.ts';

/** The node as a whole, for callers of the API. */
export const machine: Feature<undefined> = feature({
  name: 'machine',
  needs: { node, configuration, eventLog },
  make: ({ node: { options }, configuration: configurator, eventLog: events }) => ({
    handle: undefined,
    services: (calls) => [
      servicePart(MachineService, machineService(configurator, calls, options.image?.osRelease, events)),
      servicePart(MachineService, clientConfigurationHandlers(configurator, calls)),
    ],
  }),
});

import { eventLog } from '../events/feature.ts';
import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { machineStatuses } from './definitions.ts';
import { outsideAddresses } from './machine-status.ts';
import { machineStatusController } from './machine-status-controller.ts';
import { observeMachine } from './observe-machine.ts';

/** What the machine is doing as a whole. */
export const machineStatusFeature: Feature<undefined> = feature({
  name: 'machine-status',
  needs: { node, eventLog },
  writes: [machineStatuses],
  make: ({ node: { options, clock, store }, eventLog: events }) => {
    const addresses = (): readonly string[] | undefined =>
      options.image === undefined ? undefined : outsideAddresses();
    return {
      handle: undefined,
      controllers: [machineStatusController({ clock, addresses })],
      run: (signal) => observeMachine({ store, events, clock, addresses }, signal),
    };
  },
});

import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { pressureDecisions, pressurePolicies } from './definitions.ts';
import { pressureController } from './pressure-controller.ts';
import { PressurePolicies } from './pressure.ts';

/** What the node does when memory, processors or disks are short. */
export const pressure: Feature<undefined> = feature({
  name: 'pressure',
  needs: { node, persistence },
  writes: [pressureDecisions, pressurePolicies],
  make: ({ node: { store, log, clock, runDirectory }, persistence: state }) => {
    const policies = new PressurePolicies({ store, log, clock, runDirectory, directory: () => state.path() });
    return {
      handle: undefined,
      controllers: [pressureController(policies)],
      prepare: ({ configuration }) => policies.configure(configuration.all('OOMConfig')),
      close: () => policies.close(),
    };
  },
});

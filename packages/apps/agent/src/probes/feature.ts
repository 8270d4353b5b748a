import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { attempt } from './attempt.ts';
import { probeSpecs, probeStatuses } from './definitions.ts';
import { probeController, wantedProbes } from './probes.ts';

/** Whether things of the network answer that documents name. */
export const probes: Feature<undefined> = feature({
  name: 'probes',
  needs: { node },
  writes: [probeSpecs, probeStatuses],
  make: ({ node: { store, clock } }) => {
    let authorities: readonly string[] = [];
    return {
      handle: undefined,
      controllers: [
        probeController({ clock, attempt: (target, signal) => attempt(target, signal, authorities) }),
      ],
      configure: ({ configuration }) => {
        authorities = configuration.all('TrustedRootsConfig').flatMap(({ certificates }) => certificates);
        store.replace(kindOf(probeSpecs), wantedProbes(configuration), 'probes');
      },
    };
  },
});

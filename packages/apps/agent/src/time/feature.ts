import { TimeService } from '@nodecore/api/time';

import { configured } from '../applied/applied-controller.ts';
import { leaseNames } from '../dhcp/definitions.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { servicePart } from '../server/service-part.ts';
import { services } from '../services/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { Chronyd, type ChronydUser } from './chronyd.ts';
import { timeStatuses, timeSyncConfigs } from './definitions.ts';
import { timeHandlers } from './time-service.ts';
import { timeSyncController } from './time-sync.ts';
import { timeSpec, usualSource } from './wanted.ts';

/** As the image has it; `packages/image/release` writes the same numbers. */
const user: ChronydUser = { name: '_chrony', uid: 101, gid: 101 };

/** The clock of a machine that runs our image; on any other host it is the host's. */
export const time: Feature<undefined> = feature({
  name: 'time',
  needs: { node, services },
  reads: [leaseNames],
  writes: [timeSyncConfigs, timeStatuses],
  make: ({ node: { store, clock, log, options }, services: all }) => {
    const places = { directory: '/run/time', ownDirectory: '/run/chrony' };
    const chronyd = options.image && new Chronyd({ log, services: () => all.open(), user, ...places });
    let authorities: readonly string[] = [];
    const usual = (): string => {
      const spec = store.get({ ...kindOf(timeSyncConfigs), id: configured })?.spec;
      return usualSource(spec, store.list(kindOf(leaseNames)).resources);
    };
    return {
      handle: undefined,
      services: (calls) => [servicePart(TimeService, timeHandlers({ usual }, calls))],
      controllers: [timeSyncController({ clock, chronyd, authorities: () => authorities })],
      configure: ({ configuration }) => {
        authorities = configuration.all('TrustedRootsConfig').flatMap(({ certificates }) => certificates);
        const specs = new Map([[configured, timeSpec(configuration)]]);
        store.replace(kindOf(timeSyncConfigs), specs, 'time');
      },
      close: async () => await chronyd?.stop(),
    };
  },
});

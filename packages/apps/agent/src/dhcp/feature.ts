import { aborted } from '@nodecore/waiting';

import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { leaseNames } from './definitions.ts';
import { followDhcp } from './dhcp.ts';
import { leaseController } from './lease-controller.ts';

/** Addresses for a machine that runs our image; on any other host the network is the host's. */
export const dhcp: Feature<undefined> = feature({
  name: 'dhcp',
  needs: { node },
  writes: [leaseNames],
  make: ({ node: { options, log, clock } }) => ({
    handle: undefined,
    controllers: options.image === undefined ? [] : [leaseController({ clock })],
    run: (signal) => (options.image === undefined ? aborted(signal) : followDhcp({ log, clock }, signal)),
  }),
});

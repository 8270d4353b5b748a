import { aborted } from '@nodecore/waiting';

import { node } from '../node.ts';
import { services } from '../services/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { leaseNames } from './definitions.ts';
import { followDhcp } from './dhcp.ts';
import { leaseController } from './lease-controller.ts';

/** Addresses for a machine that runs our image; on any other host the network is the host's. */
export const dhcp: Feature<undefined> = feature({
  name: 'dhcp',
  needs: { node, services },
  writes: [leaseNames],
  make: ({ node: { options, clock }, services: all }) => ({
    handle: undefined,
    controllers: options.image === undefined ? [] : [leaseController({ clock })],
    run: (signal) =>
      options.image === undefined
        ? aborted(signal)
        : followDhcp({ services: () => all.open(), clock }, signal),
  }),
});

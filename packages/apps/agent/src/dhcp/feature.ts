import { readFile } from 'node:fs/promises';

import { aborted } from '@nodecore/waiting';

import { node } from '../node.ts';
import { services } from '../services/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { leaseNames } from './definitions.ts';
import { followDhcp, ignoredInterfaces } from './dhcp.ts';
import { leaseController } from './lease-controller.ts';

/** Addresses for a machine that runs our image; on any other host the network is the host's. */
export const dhcp: Feature<undefined> = feature({
  name: 'dhcp',
  needs: { node, services },
  writes: [leaseNames],
  make: ({ node: { options, clock }, services: all }) => ({
    handle: undefined,
    controllers: options.image === undefined ? [] : [leaseController({ clock })],
    run: async (signal) => {
      if (options.image === undefined) return await aborted(signal);
      const ignored = ignoredInterfaces(await readFile(options.image.kernelCommandLine, 'utf8'));
      await followDhcp({ services: () => all.open(), clock, ignored }, signal);
    },
  }),
});

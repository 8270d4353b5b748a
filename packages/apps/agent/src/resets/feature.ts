import { StorageService } from '@nodecore/api/storage';

import { captures } from '../captures/feature.ts';
import { discovery } from '../discovery/feature.ts';
import { kvstore } from '../kvstore/feature.ts';
import { lifecycle } from '../lifecycle/feature.ts';
import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { api } from '../api/feature.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { resetHandler } from './reset-service.ts';
import { Resets } from './resets.ts';

/** Resets of the node. */
export const resets: Feature<Resets> = feature({
  name: 'resets',
  needs: { node, api, captures, discovery, kvstore, lifecycle, persistence, volumes },
  make: ({ node: { halt, end }, persistence: state, volumes: controller, ...needs }) => {
    const handle = new Resets({
      isOwnMachine: state.isOwnMachine,
      enter: () => needs.lifecycle.sequences.enter('reset'),
      inventory: needs.discovery,
      statuses: () => controller.statuses(),
      isConfigured: () => controller.isConfigured,
      leave: (ids) => needs.kvstore.leaveWith(ids),
      // The stream of the reset itself goes on; all other streams end.
      halt: async () => {
        needs.api.server.quiesce();
        await needs.captures.end();
        await halt({ unmount: true });
      },
      begin: (record, disks) => state.volume.beginReset(record, disks),
      perform: (disks, tell) => state.volume.performReset(disks, tell),
      end,
    });
    return {
      handle,
      services: ({ closing, ...calls }) => [
        // A reset ends all other streams, and itself with the server.
        servicePart(StorageService, { reset: resetHandler(handle, { ...calls, stopping: closing }) }),
      ],
    };
  },
});

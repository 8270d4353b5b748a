import { KvstoreService } from '@nodecore/api/kvstore';

import { unattendedInstallStatuses } from '../installs/definitions.ts';
import { volumeMountRequests, volumeMountStatuses } from '../mounts/mount-definitions.ts';
import { node } from '../node.ts';
import { hostDirectory, persistence } from '../persistence/feature.ts';
import { servicePart } from '../server/service-part.ts';
import { services } from '../services/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import {
  kvstoreDefragmentations,
  kvstoreMembers,
  kvstoreSnapshots,
  kvstoreStatuses,
} from './kvstore-definitions.ts';
import { KvstoreNode } from './kvstore-node.ts';
import { kvstoreService } from './kvstore-service.ts';

/** This node as a member of the kvstore. It states the mounts that it needs, and uses those it was given. */
export const kvstore: Feature<KvstoreNode> = feature({
  name: 'kvstore',
  needs: { node, hostDirectory, persistence, services },
  reads: [unattendedInstallStatuses],
  holds: [volumeMountStatuses],
  writes: [kvstoreDefragmentations, kvstoreMembers, kvstoreSnapshots, kvstoreStatuses, volumeMountRequests],
  make: ({
    node: { store, log, clock, runDirectory },
    hostDirectory: directory,
    persistence: state,
    services: all,
  }) => {
    const handle = new KvstoreNode({
      store,
      log,
      clock,
      runDirectory,
      services: () => all.open(),
      stateDirectory: directory?.path,
      begunMark: () => state.path('kvstore-begun'),
    });
    return {
      handle,
      services: (calls) => [servicePart(KvstoreService, kvstoreService(handle, calls))],
      run: (signal) => handle.run(signal),
      prepare: ({ configuration }) => handle.configure(configuration),
    };
  },
});

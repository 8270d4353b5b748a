import type { Json } from '@nodecore/state';

import { node } from '../node.ts';
import { api } from '../api/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { maintenanceStatuses } from './definitions.ts';
import { Maintenance } from './maintenance.ts';

/** The time before the first configuration. */
export const maintenance: Feature<Maintenance> = feature({
  name: 'maintenance',
  needs: { node, api },
  writes: [maintenanceStatuses],
  make: ({ node: { store, log, runDirectory }, api: { server } }) => {
    const handle = new Maintenance({
      log,
      server,
      runDirectory,
      changed: (status) => {
        const specs: ReadonlyMap<string, Json> = new Map(status && [['maintenance', status]]);
        store.replace(kindOf(maintenanceStatuses), specs, 'maintenance');
      },
    });
    const end = (): Promise<void> => handle.end();
    return { handle, prepare: end, dispose: end };
  },
});

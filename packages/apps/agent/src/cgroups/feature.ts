import { CgroupService } from '@nodecore/api/cgroup';

import { node } from '../node.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { cgroupService } from './cgroup-service.ts';
import { Cgroups } from './cgroups.ts';

/** The node's cgroups, for callers of the API. */
export const cgroups: Feature<undefined> = feature({
  name: 'cgroups',
  needs: { node },
  make: ({ node: { clock } }) => {
    const all = new Cgroups({ clock });
    return {
      handle: undefined,
      services: (calls) => [servicePart(CgroupService, cgroupService(all, calls))],
    };
  },
});

import { InspectService } from '@nodecore/api/inspect';

import { node } from '../node.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { profileHandlers } from './profile-service.ts';
import { Profiles } from './profiles.ts';

/** Where the agent's own processor time and memory go, for callers. */
export const profiles: Feature<Profiles> = feature({
  name: 'profiles',
  needs: { node },
  make: ({ node: { log, clock } }) => {
    const handle = new Profiles({ clock });
    return {
      handle,
      services: (calls) => [servicePart(InspectService, profileHandlers(handle, log, calls))],
    };
  },
});

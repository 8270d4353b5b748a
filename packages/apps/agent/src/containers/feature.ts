import { ContainerService } from '@nodecore/api/container';

import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { containerHandlers } from './container-service.ts';

/** Containers and images, for callers. */
export const containers: Feature<undefined> = feature({
  name: 'containers',
  make: () => ({
    handle: undefined,
    services: (calls) => [servicePart(ContainerService, containerHandlers(calls))],
  }),
});

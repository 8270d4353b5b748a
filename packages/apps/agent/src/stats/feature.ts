import { StatService } from '@nodecore/api/stat';

import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { statHandlers } from './stat-service.ts';

/** What the kernel counts, for callers. */
export const stats: Feature<undefined> = feature({
  name: 'stats',
  make: () => ({
    handle: undefined,
    services: (calls) => [servicePart(StatService, statHandlers({}, calls))],
  }),
});

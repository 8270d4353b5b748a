import { ProcessService } from '@nodecore/api/process';

import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { processHandlers } from './process-service.ts';

/** What runs on the node, for callers. */
export const processes: Feature<undefined> = feature({
  name: 'processes',
  make: () => ({
    handle: undefined,
    services: (calls) => [servicePart(ProcessService, processHandlers(calls))],
  }),
});

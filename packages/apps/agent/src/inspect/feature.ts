import { InspectService } from '@nodecore/api/inspect';

import { node } from '../node.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { controllerItems } from './definitions.ts';
import { inspectService } from './inspect-service.ts';

/** The graph of features, controllers and resources, and what controllers wait for, for callers of the API. */
export const inspect: Feature<undefined> = feature({
  name: 'inspect',
  needs: { node },
  writes: [controllerItems],
  make: ({ node: { dependencies } }) => ({
    handle: undefined,
    services: (calls) => [servicePart(InspectService, inspectService(dependencies, calls))],
  }),
});

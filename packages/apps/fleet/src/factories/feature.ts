import { ManagementService } from '@nodecore/fleet-api/protocol';

import type { Feature } from '../feature.ts';
import { servicePart } from '../server/service-part.ts';
import { Factories } from './factories.ts';
import { reportService } from './report-service.ts';

/** The image factories that machines' images are of: what they know of those, for callers of the fleet. */
export const factories: Feature = {
  name: 'factories',
  definitions: [],
  make: ({ configuration }) => {
    const all = new Factories(configuration.factories ?? []);
    return { services: (options) => [servicePart(ManagementService, reportService(all, options))] };
  },
};

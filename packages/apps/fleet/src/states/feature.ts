import { auditEvents } from '@nodecore/fleet-api';
import { StateService } from '@nodecore/fleet-api/protocol';

import type { Feature } from '../feature.ts';
import { servicePart } from '../server/service-part.ts';
import { Catalog } from './catalog.ts';
import { readService } from './read-service.ts';
import { writeService } from './write-service.ts';

/** The state, for callers of the API. */
export const states: Feature = {
  name: 'states',
  definitions: [auditEvents],
  make: (fleet) => {
    const catalog = new Catalog(fleet.definitions);
    return {
      services: (options) => [
        servicePart(StateService, {
          ...readService(fleet, catalog, options),
          ...writeService(fleet, catalog, options),
        }),
      ],
    };
  },
};

import { ResourceService } from '@nodecore/api/resource';

import { node } from '../node.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature, given } from '../supervisor/feature.ts';
import type { Catalog } from './catalog.ts';
import { resourceDefinitions } from './definitions.ts';
import { resourceService } from './resource-service.ts';

/** The types of all features. */
export const catalog: Feature<Catalog> = given('catalog');

/** The store, for callers of the API. */
export const resources: Feature<undefined> = feature({
  name: 'resources',
  needs: { node, catalog },
  writes: [resourceDefinitions],
  make: ({ node: { store }, catalog: types }) => {
    types.publish(store);
    return {
      handle: undefined,
      services: (calls) => [servicePart(ResourceService, resourceService({ store, catalog: types }, calls))],
    };
  },
});

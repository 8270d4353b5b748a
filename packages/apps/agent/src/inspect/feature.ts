import { InspectService } from '@nodecore/api/inspect';

import { configuration } from '../configuration/feature.ts';
import { node } from '../node.ts';
import { catalog } from '../resources/feature.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { controllerItems } from './definitions.ts';
import { minimumsController } from './minimums-controller.ts';
import { inspectService } from './inspect-service.ts';

/** The graph of features, controllers and resources, what controllers wait for, and whether the node is well, for callers. */
export const inspect: Feature<undefined> = feature({
  name: 'inspect',
  needs: { node, catalog, configuration },
  writes: [controllerItems],
  make: ({
    node: { dependencies, store, log, options },
    catalog: { definitions },
    configuration: configurator,
  }) => ({
    handle: undefined,
    controllers: options.image === undefined ? [] : [minimumsController({ log, configurator })],
    services: (calls) => [
      servicePart(InspectService, inspectService(dependencies, { store, definitions, configurator }, calls)),
    ],
  }),
});

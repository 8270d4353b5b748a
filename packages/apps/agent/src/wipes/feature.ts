import { StorageService } from '@nodecore/api/storage';

import { discovery } from '../discovery/feature.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { wipeHandlers } from './wipe-service.ts';
import { Wipes } from './wipes.ts';

/** Wipes of volumes, and of what belongs to none. They end with the streams of the server. */
export const wipes: Feature<undefined> = feature({
  name: 'wipes',
  needs: { discovery, volumes },
  make: ({ discovery: inventory, volumes: controller }) => {
    const isConfigured = (): boolean => controller.isConfigured;
    const all = new Wipes({ inventory, volumes: controller, isConfigured });
    return {
      handle: undefined,
      services: (calls) => [servicePart(StorageService, wipeHandlers(all, calls))],
    };
  },
});

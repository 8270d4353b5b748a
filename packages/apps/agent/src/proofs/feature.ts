import { StorageService } from '@nodecore/api/storage';

import { discovery } from '../discovery/feature.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { proofHandler } from './proof-service.ts';
import { Proofs } from './proofs.ts';

/** Proofs that a disk is empty. */
export const proofs: Feature<undefined> = feature({
  name: 'proofs',
  needs: { discovery, volumes },
  make: ({ discovery: inventory, volumes: controller }) => {
    const isConfigured = (): boolean => controller.isConfigured;
    const all = new Proofs({ inventory, volumes: controller, isConfigured });
    return {
      handle: undefined,
      services: (calls) => [servicePart(StorageService, { proveEmpty: proofHandler(all, calls) })],
    };
  },
});

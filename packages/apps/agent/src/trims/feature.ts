import { TrimService } from '@nodecore/api/trim';

import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { volumeTrimStatuses } from './definitions.ts';
import { trimIntervals } from './intervals.ts';
import { trimsController } from './trim-controller.ts';
import { trimService } from './trim-service.ts';
import { Trims } from './trims.ts';

/** Trims of mounted volumes, by schedule and on demand. */
export const trims: Feature<undefined> = feature({
  name: 'trims',
  needs: { node, volumes, persistence },
  writes: [volumeTrimStatuses],
  make: ({ node: { log, clock }, volumes: controller, persistence: state }) => {
    const all = new Trims({
      log,
      clock,
      mounts: () => controller.mounts(),
      nodeId: () => controller.machineUuid,
      directory: () => state.path(),
    });
    const systemDisk = state.isOwnMachine;
    return {
      handle: undefined,
      services: (calls) => [servicePart(TrimService, trimService(all, calls))],
      controllers: [trimsController(all)],
      prepare: ({ configuration }) => all.configure(trimIntervals(configuration, { systemDisk })),
      close: () => all.close(), // nothing of ours holds a mount any more
    };
  },
});

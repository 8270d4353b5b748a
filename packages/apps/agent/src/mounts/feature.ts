import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { mountRequests, volumeMountStatuses } from './mount-definitions.ts';
import { mountsController } from './mounts.ts';

/** Mounts as their users see them. */
export const mounts: Feature<undefined> = feature({
  name: 'mounts',
  needs: { volumes },
  writes: [mountRequests, volumeMountStatuses],
  make: ({ volumes: controller }) => ({
    handle: undefined,
    controllers: [
      mountsController({
        volumes: () => controller.mounted,
        changes: (signal) => controller.changes(signal),
      }),
    ],
  }),
});

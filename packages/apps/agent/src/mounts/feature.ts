import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { mountRequests, volumeMountRequests, volumeMountStatuses } from './mount-definitions.ts';
import { Mounts } from './mounts.ts';

/** Mounts as their users see them. */
export const mounts: Feature<undefined> = feature({
  name: 'mounts',
  needs: { node, volumes },
  reads: [volumeMountRequests, volumeMountStatuses],
  writes: [mountRequests, volumeMountStatuses],
  make: ({ node: { store }, volumes: controller }) => {
    const brokered = new Mounts({ store, volumes: () => controller.mounted });
    controller.onChange(() => brokered.reconcile());
    return { handle: undefined, run: (signal) => brokered.run(signal) };
  },
});

import { KernelLogService } from '@nodecore/api/kernel-log';

import { bootIdOf } from '../boot-id.ts';
import { node } from '../node.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { dmesgHandlers } from './dmesg-service.ts';

/** The kernel's log, for callers. */
export const kernelLog: Feature<undefined> = feature({
  name: 'kernel-log',
  needs: { node },
  make: ({ node: { options } }) => ({
    handle: undefined,
    // Callers see what the kernel says of the machine's end, as far as the node answers.
    services: ({ closing, ...calls }) => [
      servicePart(
        KernelLogService,
        dmesgHandlers({ bootId: bootIdOf(options) }, { ...calls, stopping: closing }),
      ),
    ],
  }),
});

import { KernelLogService } from '@nodecore/api/kernel-log';

import { currentBootId } from '../boot-id.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { dmesgHandlers } from './dmesg-service.ts';

/** The kernel's log, for callers. */
export const kernelLog: Feature<undefined> = feature({
  name: 'kernel-log',
  make: () => ({
    handle: undefined,
    // Callers see what the kernel says of the machine's end, as far as the node answers.
    services: ({ closing, ...calls }) => [
      servicePart(
        KernelLogService,
        dmesgHandlers({ bootId: currentBootId() }, { ...calls, stopping: closing }),
      ),
    ],
  }),
});

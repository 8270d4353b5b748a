import { FileService } from '@nodecore/api/file';

import { node } from '../node.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { fileService } from './file-service.ts';

/** Files of the node, for callers. */
export const files: Feature<undefined> = feature({
  name: 'files',
  needs: { node },
  make: ({ node: { log } }) => ({
    handle: undefined,
    // Callers may look at files, such as logs, while the machine ends, as far as the node answers.
    services: ({ closing, ...calls }) => [
      servicePart(FileService, fileService(log, { ...calls, stopping: closing })),
    ],
  }),
});

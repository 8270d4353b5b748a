import { readFile } from 'node:fs/promises';

import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { pcrStatuses, securityStates } from './definitions.ts';
import { pcrController } from './pcr-controller.ts';
import { securityController } from './security.ts';

/** What of the machine keys can be bound to. */
export const security: Feature<undefined> = feature({
  name: 'security',
  needs: { node },
  writes: [securityStates, pcrStatuses],
  make: ({ node: { clock, log, options } }) => {
    const path = options.image?.kernelCommandLine;
    const commandLine = path === undefined ? {} : { commandLine: () => readFile(path, 'utf8') };
    return {
      handle: undefined,
      controllers: [securityController({ log, ...commandLine }), pcrController({ clock })],
    };
  },
});

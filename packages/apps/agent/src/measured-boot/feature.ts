import { join } from 'node:path';

import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { closeWindow } from './close-window.ts';
import { windowController } from './window-controller.ts';

/** Closes the TPM to keys that are sealed to the boot, as soon as the system itself needs none any more. */
export const measuredBoot: Feature<undefined> = feature({
  name: 'measured-boot',
  needs: { node },
  make: ({ node: { options, log, clock, runDirectory } }) => {
    const close = (): ReturnType<typeof closeWindow> =>
      closeWindow({ mark: join(runDirectory, 'start-the-world') });
    const controllers = options.image === undefined ? [] : [windowController({ log, clock, close })];
    return { handle: undefined, controllers };
  },
});

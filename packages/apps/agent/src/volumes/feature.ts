import { fromConfiguration } from '@nodecore/volumes';

import { discovery } from '../discovery/feature.ts';
import { VolumeService } from '@nodecore/api/volume';
import { keys } from '../keys/feature.ts';
import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { mountStatuses, volumeManagerStatuses, volumeStatuses } from './definitions.ts';
import { VolumeController } from './volume-controller.ts';
import { volumeService } from './volume-service.ts';

/** The life cycle of volumes. They change last when a configuration does: until then others let go of them. */
export const volumes: Feature<VolumeController> = feature({
  name: 'volumes',
  needs: { node, discovery, persistence, keys },
  writes: [mountStatuses, volumeManagerStatuses, volumeStatuses],
  make: ({
    node: { options, store, log, clock },
    discovery: inventory,
    persistence: state,
    keys: source,
  }) => {
    const { keyDerivation, mountRoot } = options;
    const systemDisk = state.isOwnMachine;
    const keySources = (): ReturnType<typeof source.keys.sources> => source.keys.sources();
    const parts = { store, log, clock, inventory, intents: state, systemDisk, keyDerivation, keySources };
    const controller = new VolumeController(parts);
    return {
      handle: controller,
      services: (calls) => [servicePart(VolumeService, volumeService(controller, calls))],
      run: (signal) => controller.publish(signal),
      configure: ({ configuration, previous }) =>
        controller.configure(
          fromConfiguration(configuration, {
            systemDisk,
            previous,
            ...(mountRoot !== undefined && { mountRoot }),
          }),
        ),
      close: (how) => controller.close(how),
    };
  },
});

import { keys } from '../keys/feature.ts';
import { node } from '../node.ts';
import { api } from '../api/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { Certificates, certificatesController } from './certificates.ts';

/** The certificates that the node shows, to clients and to key servers. */
export const certificates: Feature<undefined> = feature({
  name: 'certificates',
  needs: { node, api, keys, volumes },
  make: ({ node: { clock }, api: { server }, keys: { identity }, volumes: controller }) => {
    const kept = new Certificates({ server, identity, machineUuid: () => controller.machineUuid, clock });
    return {
      handle: undefined,
      controllers: [certificatesController(kept)],
      prepare: ({ configuration }) => kept.use(configuration),
    };
  },
});

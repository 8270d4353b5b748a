import { MachineService } from '@nodecore/api/machine';

import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import type { Meta } from '../persistence/meta.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { metaKeys, metaStatuses } from './definitions.ts';
import { MetaRequestError } from './errors.ts';
import { metaController } from './meta-controller.ts';
import { metaHandlers } from './meta-service.ts';

/** The values of META that users have: shown, written, deleted. A host that is not ours has none. */
export const meta: Feature<undefined> = feature({
  name: 'meta',
  needs: { node, persistence },
  writes: [metaKeys, metaStatuses],
  make: ({ node: { clock }, persistence: state }) => {
    const found = (): Meta => {
      if (!state.isOwnMachine)
        throw new MetaRequestError('ERR_META_NONE', "this host is not the node's own, and has no META");
      const { meta: opened, problem } = state.volume;
      if (opened === undefined) throw new MetaRequestError('ERR_META_NONE', problem.message);
      return opened;
    };
    const seen = (): Meta | undefined => (state.isOwnMachine ? state.volume.meta : undefined);
    return {
      handle: undefined,
      controllers: [metaController(seen, clock)],
      services: (calls) => [servicePart(MachineService, metaHandlers(found, calls))],
    };
  },
});

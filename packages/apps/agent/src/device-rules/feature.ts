import { join } from 'node:path';

import { DeviceNodes, Originals } from '@nodecore/host';

import { configured } from '../applied/applied-controller.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { udevRuleConfigs, udevRuleStatuses } from './definitions.ts';
import { deviceRulesController, wantedRules } from './device-rules.ts';

/** Permissions, links and names of devices, where no udevd gives them. */
export const deviceRules: Feature<undefined> = feature({
  name: 'device-rules',
  needs: { node },
  writes: [udevRuleConfigs, udevRuleStatuses],
  make: ({ node: { store, clock, runDirectory } }) => {
    const originals = new Originals(join(runDirectory, 'devices-originals.json'));
    return {
      handle: undefined,
      controllers: [deviceRulesController({ nodes: new DeviceNodes({ originals }), clock })],
      configure: ({ configuration }) => {
        const rules = new Map([[configured, wantedRules(configuration)]]);
        store.replace(kindOf(udevRuleConfigs), rules, 'device-rules');
      },
    };
  },
});

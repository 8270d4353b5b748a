import type { Controller } from '@nodecore/runtime';

import { kindOf } from '../resources/definitions.ts';
import { volumeManagerStatuses } from '../volumes/definitions.ts';
import type { Configurator } from './configurator.ts';
import { machineConfigs } from './definitions.ts';

/** Forgets the keys of former configurations when the volumes have those of the active one. */
export function formerController(configurator: Pick<Configurator, 'forgetFormer'>): Controller {
  return {
    name: 'former-configurations',
    inputs: [machineConfigs, volumeManagerStatuses].map((definition) => ({
      ...kindOf(definition),
      strength: 'weak',
      items: () => ['keys'],
    })),
    outputs: [],
    reconcile: () => configurator.forgetFormer(),
  };
}

import { type Controller, lookAgain } from '@nodecore/runtime';

import { kindOf } from '../resources/definitions.ts';
import { pressurePolicies } from './definitions.ts';
import type { PressurePolicies } from './pressure.ts';

/** What one policy holds another one may wait for: all is one item. */
const item = 'policies';

/**
 * Shows what the policies do, and undoes what they did when it is time. A policy itself is no item: it follows the kernel's
 * alerts, and looks many times in a second as long as the pressure lasts.
 */
export function pressureController(policies: PressurePolicies): Controller {
  return {
    name: 'pressure',
    inputs: [],
    outputs: [{ ...kindOf(pressurePolicies), mode: 'exclusive' }],
    outside: async (wake, signal) => {
      await policies.begin();
      for await (const _ of policies.changes(signal)) wake(item);
    },
    reconcile: async (_, access) => {
      await access.replace(kindOf(pressurePolicies), policies.statuses());
      const restMs = await policies.undo();
      return restMs === undefined ? undefined : lookAgain(restMs);
    },
  };
}

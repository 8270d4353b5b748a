import { type Controller, lookAgain, onEach, together } from '@nodecore/runtime';

import { kindOf } from '../resources/definitions.ts';
import { mountStatuses } from '../volumes/definitions.ts';
import { volumeTrimStatuses } from './definitions.ts';
import type { Trims } from './trims.ts';

/** Volumes share disks: which of them is trimmed next is decided for all together. */
const schedule = 'schedule';
/** Beside the schedule: a disk that is slow to answer does not keep the others' progress from being seen. */
const statuses = 'statuses';

/**
 * Looks at every volume when a mount or the schedule changes and when a slot comes, and publishes how trims go. Trims that run
 * go on when it ends, until {@link Trims.close}.
 */
export function trimsController(trims: Trims): Controller {
  return {
    name: 'trims',
    inputs: [{ ...kindOf(mountStatuses), strength: 'weak', items: () => [schedule] }],
    outputs: [{ ...kindOf(volumeTrimStatuses), mode: 'exclusive' }],
    concurrency: 2,
    outside: together(
      onEach((signal) => trims.scheduleChanges(signal), schedule),
      onEach((signal) => trims.statusChanges(signal), statuses),
    ),
    reconcile: async (item, access) => {
      if (item === schedule) return lookAgain(await trims.look());
      await access.replace(kindOf(volumeTrimStatuses), trims.statuses);
      return undefined;
    },
  };
}

import type { Controller } from '@nodecore/runtime';
import type { Clock } from '@nodecore/waiting';

import type { Meta } from '../persistence/meta.ts';
import { kindOf } from '../resources/definitions.ts';
import { metaKeys, metaStatuses } from './definitions.ts';
import { metaKeySpecs, metaStatusSpec } from './keys.ts';

/** Disks may be slow to appear. */
const lookMs = 1000;
const item = 'meta';

/** Shows what META keeps, from the moment that it was found. */
export function metaController(
  find: () => Pick<Meta, 'tags' | 'get' | 'changed' | 'damage' | 'isBlank'> | undefined,
  clock: Pick<Clock, 'sleep'>,
): Controller {
  return {
    name: 'meta-keys',
    inputs: [],
    outputs: [metaKeys, metaStatuses].map((definition) => ({ ...kindOf(definition), mode: 'exclusive' })),
    outside: async (wake, signal) => {
      while (find() === undefined) await clock.sleep(lookMs, signal);
      for (;;) {
        const changed = find()?.changed.next(signal); // what changes while it is read wakes once more
        wake(item);
        await changed;
      }
    },
    reconcile: async (_item, access) => {
      const meta = find();
      const values = (meta?.tags ?? []).flatMap((tag) => {
        const value = meta?.get(tag);
        return value === undefined ? [] : [[tag, value] as const];
      });
      await access.replace(kindOf(metaKeys), metaKeySpecs(values));
      await access.replace(kindOf(metaStatuses), new Map(meta && [['meta', metaStatusSpec(meta)]]));
    },
  };
}

import type { Ending } from '../src/ending.ts';
import { type ResetOrder, Resets, type ResetsParts } from '../src/resets/resets.ts';
import { disk, inventory, partition } from './inventory.ts';

const disks = inventory(
  [disk('vda')],
  [
    partition('vda', 1, { partitionLabel: 'META' }),
    partition('vda', 2, { partitionLabel: 'STATE', partitionUuid: 'guid', name: 'luks' }),
  ],
);

/** All of STATE, in order, without a reboot. */
export const resetOrder: ResetOrder = {
  mode: 'all',
  labels: ['STATE'],
  userDisks: [],
  graceful: true,
  reboot: false,
  dryRun: false,
  digest: '',
};

/** Resets of a machine with STATE on a disk, and what they have come to; `more` goes another way. */
export function resetNode(more: Partial<ResetsParts> = {}) {
  const done: string[] = [];
  const ended = Promise.withResolvers<Ending>();
  const resets = new Resets({
    isOwnMachine: true,
    inventory: { value: disks },
    statuses: () => [],
    isConfigured: () => true,
    leave: async (volumes) => void done.push(`leave with ${[...volumes].join()}`),
    halt: async () => void done.push('halt'),
    begin: async ({ partitions }) => void done.push(`record ${partitions.map(({ label }) => label).join()}`),
    perform: async (_disks, tell) => {
      done.push('wipe');
      tell({ name: 'STATE', state: 'running', doneBytes: 512n });
      tell({ name: 'STATE', state: 'done', doneBytes: 0n });
    },
    end: (ending) => {
      done.push(ending);
      ended.resolve(ending);
    },
    ...more,
  });
  return { resets, done, ended: ended.promise };
}

import { fieldsOf, type Key, type Resource, type Store } from '@nodecore/state';

import { machineConfigs } from '../configuration/definitions.ts';
import { maintenanceStatuses } from '../maintenance/definitions.ts';
import { kindOf } from '../resources/definitions.ts';
import { machineStatuses } from './definitions.ts';
import { isUp, type MachineStatus } from './machine-status.ts';
import type { Sequences } from './sequences.ts';

const active: Key = { ...kindOf(machineConfigs), id: 'v1alpha1' };
const maintenance: Key = { ...kindOf(maintenanceStatuses), id: 'maintenance' };
const machine: Key = { ...kindOf(machineStatuses), id: 'machine' };

export type FollowBootParts = {
  readonly store: Pick<Store, 'watch' | 'get'>;
  readonly sequences: Sequences;
};

/**
 * The beginning as sequences: `initialize` until there is a configuration or nobody has one, `boot` from the first configuration
 * until the machine does all that it can by itself. Until it has seen that, or another sequence has taken over.
 */
export async function followBoot(
  { store, sequences }: FollowBootParts,
  stopping: AbortSignal,
): Promise<void> {
  const seen = async (
    key: Key,
    holds: (resource: Resource) => boolean,
    signal: AbortSignal,
  ): Promise<void> => {
    for await (const batch of store.watch(key, { id: key.id, signal }))
      for (const event of batch)
        if ('resource' in event && event.type !== 'destroyed' && holds(event.resource)) return;
    signal.throwIfAborted();
  };
  const first = sequences.enter('initialize', { actorId: '' });
  try {
    const signal = AbortSignal.any([stopping, first.signal]);
    const found = new AbortController();
    const either = AbortSignal.any([signal, found.signal]);
    await first.phase('config', () =>
      Promise.any([active, maintenance].map((key) => seen(key, () => true, either))).catch(() => {}),
    );
    found.abort();
  } finally {
    first.end();
  }
  if (first.signal.aborted) return;
  await seen(active, () => true, stopping).catch(() => {});
  // What has begun meanwhile is what the machine is on its way to.
  if (stopping.aborted || sequences.running !== undefined) return;
  const boot = sequences.enter('boot', { actorId: '' });
  try {
    const signal = AbortSignal.any([stopping, boot.signal]);
    await boot.phase('startEverything', () => seen(machine, isReady, signal).catch(() => {}));
  } finally {
    boot.end();
  }
}

function isReady({ spec }: Resource): boolean {
  const { stage, status } = fieldsOf(spec) as unknown as MachineStatus;
  return stage === 'running' && isUp({ status });
}

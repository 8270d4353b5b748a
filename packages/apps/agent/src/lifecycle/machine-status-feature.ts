import { type Kind, type Store } from '@nodecore/state';
import { type Clock, Latest, Signal } from '@nodecore/waiting';

import { configuration } from '../configuration/feature.ts';
import { kvstoreMembers } from '../kvstore/kvstore-definitions.ts';
import { maintenance } from '../maintenance/feature.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumeStatuses } from '../volumes/definitions.ts';
import { volumes } from '../volumes/feature.ts';
import { machineStatuses } from './definitions.ts';
import { lifecycle } from './feature.ts';
import { type MachineFacts, type MachineStatus, machineStatus, outsideAddresses } from './machine-status.ts';

const owner = 'machine-status';
/** Nothing announces an address. */
const lookMs = 1000;

/** What the machine is doing as a whole. Its handle has the newest status, also for those that wait for `ready`. */
export const machineStatusFeature: Feature<Latest<MachineStatus>> = feature({
  name: 'machine-status',
  needs: { node, configuration, lifecycle, maintenance, volumes },
  reads: [kvstoreMembers, volumeStatuses],
  writes: [machineStatuses],
  make: ({ node: { options, store, clock }, configuration: configurator, ...needs }) => {
    const handle = new Latest<MachineStatus>();
    const facts = (): MachineFacts => ({
      sequence: needs.lifecycle.sequence,
      isConfigured: configurator.active !== undefined,
      isInMaintenance: needs.maintenance.isOpen,
      volumes: needs.volumes.statuses(),
      member: memberOf(store),
      addresses: options.image === undefined ? undefined : outsideAddresses(),
    });
    const publish = (): void => {
      const status = machineStatus(facts());
      store.modify({ ...kindOf(machineStatuses), id: 'machine' }, () => status, { owner });
      if (JSON.stringify(status) !== JSON.stringify(handle.value)) handle.set(status);
    };
    return {
      handle,
      run: (signal) => follow({ store, clock, changed: needs.lifecycle.changed, publish }, signal),
    };
  },
});

function memberOf(store: Store): MachineFacts['member'] {
  const spec = store.get({ ...kindOf(kvstoreMembers), id: 'local' })?.spec;
  return spec as MachineFacts['member'];
}

type Following = {
  readonly store: Store;
  readonly clock: Clock;
  readonly changed: Signal;
  readonly publish: () => void;
};

/** Publishes after each change of what the status rests on, and every second. */
async function follow({ store, clock, changed, publish }: Following, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const watch = async (kind: Kind): Promise<void> => {
    for await (const _events of store.watch(kind, { signal: either })) changed.notify();
  };
  const watches = [kvstoreMembers, volumeStatuses].map((definition) =>
    watch(kindOf(definition)).catch(() => {}),
  );
  try {
    while (!signal.aborted) {
      publish();
      await changed.waitFor(lookMs, { clock, signal }).catch(() => {}); // the loop asks the signal
    }
  } finally {
    done.abort();
    await Promise.all(watches);
  }
}

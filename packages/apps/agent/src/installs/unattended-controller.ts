import type { Inventory } from '@nodecore/block';
import { type Controller, onEach, together } from '@nodecore/runtime';
import type { Latest } from '@nodecore/waiting';

import { discoveryStatuses } from '../discovery/definitions.ts';
import { kindOf } from '../resources/definitions.ts';
import { unattendedInstallId, unattendedInstallStatuses } from './definitions.ts';
import type { InstallRequests } from './requests.ts';
import type { Unattended } from './unattended.ts';
import { unattendedSpec, type UnattendedStatus } from './unattended-status.ts';

const installItem = 'install';
const statusItem = 'status';

export type UnattendedControllerParts = {
  readonly unattended: Pick<Unattended, 'look'>;
  readonly requests: Pick<InstallRequests, 'changes'>;
  readonly inventory: Pick<Latest<Inventory>, 'changes'>;
  readonly status: Latest<UnattendedStatus | undefined>;
};

/** Installs the machine when a configuration asks for it, and says how far that is. */
export function unattendedController({
  unattended,
  requests,
  inventory,
  status,
}: UnattendedControllerParts): Controller {
  return {
    name: 'unattended-install',
    inputs: [{ ...kindOf(discoveryStatuses), strength: 'weak', items: () => [installItem] }],
    outputs: [{ ...kindOf(unattendedInstallStatuses), mode: 'exclusive' }],
    concurrency: 2,
    outside: together(
      onEach((signal) => requests.changes(signal), installItem),
      onEach((signal) => inventory.changes(signal), installItem),
      onEach((signal) => status.changes(signal), statusItem),
    ),
    reconcile: async (item, access) => {
      if (item === installItem) return await unattended.look();
      const { value } = status;
      await access.replace(
        kindOf(unattendedInstallStatuses),
        new Map(value && [[unattendedInstallId, unattendedSpec(value)]]),
      );
      return undefined;
    },
  };
}

import { totalmem } from 'node:os';

import { checkNode } from '@nodecore/api';
import { atStart, type Controller } from '@nodecore/runtime';
import { fieldsOf } from '@nodecore/state';

import type { Configurator } from '../configuration/configurator.ts';
import { machineStatuses } from '../lifecycle/definitions.ts';
import type { Log } from '../log.ts';
import { kindOf } from '../resources/definitions.ts';
import { volumeStatuses } from '../volumes/definitions.ts';

export type MinimumsParts = {
  readonly log: Log;
  readonly configurator: Pick<Configurator, 'active'>;
  readonly memoryBytes?: () => number;
};

const machineItem = 'machine';
const checks: ReadonlySet<string> = new Set(['memory', 'ephemeral']);

/** Warns, once, of a machine that has less memory or a smaller EPHEMERAL than nodes are made for: it starts all the same. */
export function minimumsController({ log, configurator, memoryBytes = totalmem }: MinimumsParts): Controller {
  const told = new Map<string, string>();
  return {
    name: 'minimums',
    inputs: [
      { ...kindOf(volumeStatuses), strength: 'weak', items: () => [machineItem] },
      // With a configuration it is known what the machine is for.
      { ...kindOf(machineStatuses), strength: 'weak', items: () => [machineItem] },
    ],
    outputs: [],
    outside: atStart(machineItem),
    reconcile: async (_item, access) => {
      const ready = (await access.list(kindOf(volumeStatuses)))
        .map(({ metadata, spec }) => [metadata.id, fieldsOf(spec)] as const)
        .filter(([, { phase }]) => phase === 'ready'); // of others the size is not known yet
      const results = await checkNode({
        specsOf: async (type) => new Map(type === volumeStatuses.type ? ready : []),
        memoryBytes: memoryBytes(),
        isControlPlane: configurator.active?.configuration.machine?.type === 'controlplane',
      });
      for (const { check, state, reason } of results) {
        if (!checks.has(check) || state !== 'failed' || told.get(check) === reason) continue;
        told.set(check, reason);
        log.warn({ check }, `the machine is smaller than nodes are made for: ${reason}`);
      }
      return undefined;
    },
  };
}

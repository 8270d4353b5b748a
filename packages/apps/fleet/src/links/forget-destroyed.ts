import { links as linkDefinition } from '@nodecore/fleet-api';
import { codeOf } from '@nodecore/sys';

import type { Fleet } from '../feature.ts';
import type { MachineLogs } from '../logs/machine-logs.ts';
import type { MachineRecords } from '../machines/machine-records.ts';
import { kindOf } from '../tokens/join-token.ts';
import type { Links } from './links.ts';

/** Where something of a machine is. */
export type OfMachines = {
  readonly links: Pick<Links, 'forget'>;
  readonly records: Pick<MachineRecords, 'forgotten'>;
  readonly logs: Pick<MachineLogs, 'forget'>;
};

/** A link is destroyed to forget its machine. One whose records can't be removed keeps no other one connected. */
export async function forgetDestroyed(
  { state, log, closing }: Pick<Fleet, 'state' | 'log' | 'closing'>,
  { links, records, logs }: OfMachines,
): Promise<void> {
  try {
    for await (const batch of state.watch({ kind: kindOf(linkDefinition) }, closing))
      for (const event of batch) {
        if (event.type !== 'destroyed') continue;
        const machine = event.resource.metadata.id;
        links.forget(machine);
        logs.forget(machine);
        await records.forgotten(machine).catch((error: unknown) => {
          if (!closing.aborted)
            log.error(
              { code: codeOf(error), err: error, machine },
              'what is left of a machine is not removed',
            );
        });
      }
  } catch (error) {
    if (!closing.aborted)
      log.error({ code: codeOf(error), err: error }, 'destroyed links are not followed any more');
  }
}

import { machines } from '@nodecore/fleet-api';
import type {
  MachineLogsRequest,
  MachineLogsResponseInit,
  ManagementServiceHandlers,
} from '@nodecore/fleet-api/protocol';

import { FleetError } from '../errors.ts';
import type { Fleet } from '../feature.ts';
import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';
import { kindOf } from '../tokens/join-token.ts';
import type { MachineLogs } from './machine-logs.ts';

/** The logs of machines, for callers. */
export function logService(
  { state }: Pick<Fleet, 'state'>,
  logs: MachineLogs,
  options: HandlerOptions,
): Pick<ManagementServiceHandlers, 'machineLogs'> {
  return {
    machineLogs: streaming(
      options,
      async function* (
        { machineId: id, follow, tailLines }: MachineLogsRequest,
        { signal }: CallContext,
      ): AsyncGenerator<MachineLogsResponseInit> {
        const machine = id === '' ? undefined : await state.get({ ...kindOf(machines), id });
        if (machine === undefined) throw new FleetError('ERR_FLEET_NOT_FOUND', `there is no machine ${id}`);
        const tail = tailLines === undefined || tailLines < 0 ? Infinity : tailLines;
        for await (const data of logs.read(id, { follow, tail, signal })) yield { data };
      },
    ),
  };
}

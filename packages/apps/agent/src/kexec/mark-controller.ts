import { codeOf } from '@nodecore/sys';
import { atStart, type Controller, type Outcome, waitFor } from '@nodecore/runtime';

import { machineStatuses } from '../lifecycle/definitions.ts';
import { isUp, type MachineStatus } from '../lifecycle/machine-status.ts';
import type { Log } from '../log.ts';
import type { Meta } from '../persistence/meta.ts';
import { kindOf } from '../resources/definitions.ts';
import { readKexecMark, writeKexecMark } from './kexec-mark.ts';

const item = 'mark';
/** META is there when the system disk was found. */
const lookMs = 5000;

export type MarkParts = {
  readonly log: Log;
  readonly meta: () => Meta | undefined;
  readonly startedBy: () => Promise<'firmware' | 'kexec'>;
  /** Called once, when what the firmware has started came up. */
  readonly remember: (signal: AbortSignal) => Promise<void>;
};

/**
 * What became of a start without the firmware: it is good once the machine is ready. When the firmware has started the machine
 * while nobody knows that, the entry goes through the firmware from then on, until another release is installed.
 */
export function markController({ log, meta: metaOf, startedBy, remember }: MarkParts): Controller {
  let isSettled = false;
  return {
    name: 'kexec',
    inputs: [{ ...kindOf(machineStatuses), strength: 'weak', items: () => (isSettled ? [] : [item]) }],
    outputs: [],
    outside: atStart(item),
    reconcile: async (_, access, signal): Promise<Outcome> => {
      if (isSettled) return undefined;
      const meta = metaOf();
      if (meta === undefined) return waitFor('the system disk is looked for', { retryMs: lookMs });
      const mark = readKexecMark(meta);
      const by = await startedBy();
      if (mark?.hasFailed === false && by === 'firmware') {
        await writeKexecMark(meta, { ...mark, hasFailed: true });
        log.warn(
          { entry: mark.entry },
          'its start without the firmware did not become ready: it is not tried again',
        );
      }
      const resource = await access.get({ ...kindOf(machineStatuses), id: 'machine' });
      const isThere = hasArrived(resource?.spec as MachineStatus | undefined); // it is written by the lifecycle alone
      if (by === 'kexec' && mark?.hasFailed === false) {
        if (!isThere) return waitFor('the first boot without the firmware has to become ready');
        await writeKexecMark(meta, undefined);
      } else if (!isThere) return undefined;
      isSettled = true;
      if (by === 'firmware')
        await remember(signal).catch((error: unknown) => {
          log.info({ code: codeOf(error), err: error }, 'reboots go through the firmware');
        });
      return undefined;
    },
  };
}

/** It lacks nothing but what no start brings: a clock that nobody sets, or a kvstore that nobody has begun. */
function hasArrived(status: MachineStatus | undefined): boolean {
  if (status?.stage !== 'running') return false;
  const unmetConditions = status.status.unmetConditions.filter(({ name }) => name !== 'time');
  return isUp({ status: { ready: unmetConditions.length === 0, unmetConditions } });
}

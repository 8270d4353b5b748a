import { atStart, type Controller, type Outcome, waitFor } from '@nodecore/runtime';

import { machineStatuses } from '../lifecycle/definitions.ts';
import type { MachineStatus } from '../lifecycle/machine-status.ts';
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
};

/**
 * What became of a start without the firmware: it is good once the machine is ready. When the firmware has started the machine
 * while nobody knows that, the entry goes through the firmware from then on, until another release is installed.
 */
export function markController({ log, meta: metaOf, startedBy }: MarkParts): Controller {
  let isSettled = false;
  return {
    name: 'kexec',
    inputs: [{ ...kindOf(machineStatuses), strength: 'weak', items: () => (isSettled ? [] : [item]) }],
    outputs: [],
    outside: atStart(item),
    reconcile: async (_, access): Promise<Outcome> => {
      if (isSettled) return undefined;
      const meta = metaOf();
      if (meta === undefined) return waitFor('the system disk is looked for', { retryMs: lookMs });
      const mark = readKexecMark(meta);
      if (mark === undefined || mark.hasFailed) {
        isSettled = true;
        return undefined;
      }
      if ((await startedBy()) === 'firmware') {
        await writeKexecMark(meta, { ...mark, hasFailed: true });
        isSettled = true;
        log.warn(
          { entry: mark.entry },
          'its start without the firmware did not become ready: it is not tried again',
        );
        return undefined;
      }
      const resource = await access.get({ ...kindOf(machineStatuses), id: 'machine' });
      if (!hasArrived(resource?.spec as MachineStatus | undefined))
        // it is written by the lifecycle alone
        return waitFor('the first boot without the firmware has to become ready');
      await writeKexecMark(meta, undefined);
      isSettled = true;
      return undefined;
    },
  };
}

/** Ready; a clock that nobody sets has nothing to do with how the machine was started. */
function hasArrived(status: MachineStatus | undefined): boolean {
  if (status === undefined || (status.stage !== 'running' && status.stage !== 'maintenance')) return false;
  return status.status.ready || status.status.unmetConditions.every(({ name }) => name === 'time');
}

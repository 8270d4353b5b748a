import type { Controller } from '@nodecore/runtime';
import { fieldsOf, type Json } from '@nodecore/state';

import { type Applied, appliedController } from '../applied/applied-controller.ts';
import type { InitChannel } from '../init/init-channel.ts';
import { watchdogTimerConfigs, watchdogTimerStatuses } from './definitions.ts';

export type WatchdogParts = {
  /** To PID 1, which alone holds the device: what outlives the agent's loop must not feed for it. */
  readonly init: Pick<InitChannel, 'askWatchdog'> | undefined;
};

/** PID 1 answers at once, and is read every second. */
const answerMs = 30_000;

/** Has PID 1 feed the watchdog that is wanted, and no other. */
export function watchdogController({ init }: WatchdogParts): Controller {
  return appliedController({
    name: 'watchdog',
    specs: [watchdogTimerConfigs],
    statuses: watchdogTimerStatuses,
    retryMs: 30_000,
    apply: async ([spec], stopping) => {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(answerMs)]);
      const { device, timeoutSeconds } = fieldsOf(spec?.spec ?? null);
      if (typeof device !== 'string' || typeof timeoutSeconds !== 'number') {
        await init?.askWatchdog('watchdog off', signal);
        return { statuses: new Map() };
      }
      if (init === undefined) return refused(device, 'PID 1 of this machine feeds no watchdog');
      const answer = await init.askWatchdog(`watchdog ${device} ${timeoutSeconds}`, signal);
      if (answer === undefined) return refused(device, 'PID 1 is not heard');
      if (answer.startsWith('error ')) return refused(device, answer.slice('error '.length));
      return status({ device, timeoutSeconds: Number(answer.split(' ')[1]) });
    },
  });
}

function status(spec: Json): Applied {
  return { statuses: new Map([['timer', spec]]) };
}

function refused(device: string, error: string): Applied {
  return { ...status({ device, error }), waitsFor: `${device}: ${error}` };
}

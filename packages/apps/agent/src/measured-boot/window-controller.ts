import { type Controller, waitFor } from '@nodecore/runtime';
import type { Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { publishedVolumes, volumeInputs } from '../volumes/published.ts';
import type { Closing } from './close-window.ts';
import { needsNoMoreKeys } from './window.ts';

/** New keys may be on their way into headers, and are proven with the TPM: they get so long. */
const keysMs = 60_000;
const item = 'start-the-world';

export type WindowParts = {
  readonly log: Log;
  readonly clock: Clock;
  readonly close: () => Promise<Closing>;
};

/** Closes the window once, when the volumes of the configuration need no key of the boot any more. */
export function windowController({ log, clock, close }: WindowParts): Controller {
  let since: number | undefined;
  let isClosed = false;
  return {
    name: 'measured-boot',
    inputs: volumeInputs(item),
    outputs: [],
    reconcile: async (_, access) => {
      if (isClosed) return undefined;
      const { isConfigured, keysInSync, volumes } = await publishedVolumes(access);
      since = isConfigured && needsNoMoreKeys(volumes) ? (since ?? clock.now()) : undefined;
      if (since === undefined)
        return waitFor('STATE, EPHEMERAL or another volume that can be encrypted is on its way');
      const retryMs = since + keysMs - clock.now();
      if (!keysInSync && retryMs > 0) return waitFor('keys are on their way into headers', { retryMs });
      const closing = await close();
      isClosed = true;
      log.info({ closing }, 'keys that are sealed to the boot come out no more before the next one');
      return undefined;
    },
  };
}

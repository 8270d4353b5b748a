import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';
import { aborted, Backoff, type Clock, Signal } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { type Closing, closeWindow } from './close-window.ts';
import { needsNoMoreKeys, type WindowVolume } from './window.ts';

/** New keys may be on their way into headers, and are proven with the TPM: they get so long. */
const keysMs = 60_000;

/** Closes the TPM to keys that are sealed to the boot, as soon as the system itself needs none any more. */
export const measuredBoot: Feature<undefined> = feature({
  name: 'measured-boot',
  needs: { node, volumes },
  make: ({ node: { options, log, clock, runDirectory }, volumes: controller }) => {
    const changed = new Signal();
    controller.onChange(() => changed.notify());
    const parts: WindowParts = {
      log,
      clock,
      changed,
      statuses: () => (controller.isConfigured ? controller.statuses() : []),
      keysInForce: () => controller.keysInForce,
      close: () => closeWindow({ mark: join(runDirectory, 'start-the-world') }),
    };
    return {
      handle: undefined,
      run: async (signal) => {
        if (options.image !== undefined) await followWindow(parts, signal);
        await aborted(signal);
      },
    };
  },
});

export type WindowParts = {
  readonly log: Log;
  readonly clock: Clock;
  /** Fires when a status is another one. */
  readonly changed: Signal;
  /** None before the volumes are those of a configuration. */
  readonly statuses: () => readonly WindowVolume[];
  readonly keysInForce: () => boolean;
  readonly close: () => Promise<Closing>;
};

/** Resolves when the window is closed, or the signal fires. */
export async function followWindow(parts: WindowParts, signal: AbortSignal): Promise<void> {
  const { log, clock, changed, statuses, keysInForce, close } = parts;
  const backoff = new Backoff({ firstMs: 1000, largestMs: 60_000 });
  let since: number | undefined;
  while (!signal.aborted) {
    since = needsNoMoreKeys(statuses()) ? (since ?? clock.now()) : undefined;
    const waitsMs = since === undefined ? undefined : since + keysMs - clock.now();
    if (waitsMs !== undefined && (keysInForce() || waitsMs <= 0)) {
      try {
        const closing = await close();
        log.info({ closing }, 'keys that are sealed to the boot come out no more before the next one');
        return;
      } catch (error) {
        log.error({ code: codeOf(error), err: error }, 'start-the-world can not be measured');
        await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
      }
    } else await changed.waitFor(waitsMs, { clock, signal }).catch(() => {}); // the loop asks the signal
  }
}

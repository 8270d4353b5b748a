import { rm } from 'node:fs/promises';

import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';

import { bootIdOf } from '../boot-id.ts';
import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { mountStatuses } from '../volumes/definitions.ts';
import { volumes } from '../volumes/feature.ts';
import { services } from './feature.ts';
import { logDirectory } from './log-place.ts';

/** What services print is on its way to the disk so long at most. */
const fileMs = 1000;

/** Logs of services on a disk, as long as one is mounted for them: on a machine that is the node's own. */
export const serviceLogs: Feature<undefined> = feature({
  name: 'service-logs',
  needs: { node, services, volumes },
  reads: [mountStatuses],
  make: ({ node: { store, clock, log, options }, services: all }) => {
    const bootId = bootIdOf(options);
    let hasPartition: boolean | undefined;
    let told = '';
    const file = async (): Promise<void> => {
      // Before there is a configuration nobody knows where logs belong.
      const directory = hasPartition === undefined ? undefined : logDirectory(store, hasPartition);
      const failures = await all.supervisor?.fileLogs(
        directory === undefined ? undefined : { directory, bootId },
      );
      const shown = Array.from(failures ?? [], ([id, error]): Json => ({
        id,
        code: codeOf(error) ?? 'none',
      }));
      const text = JSON.stringify(shown);
      if (shown.length > 0 && text !== told) log.warn({ services: shown }, 'logs wait for room on the disk');
      told = text;
    };
    if (options.image === undefined) return { handle: undefined };
    return {
      handle: undefined,
      run: async (signal) => {
        while (!signal.aborted) {
          await file();
          await clock.sleep(fileMs, signal).catch(() => {}); // the loop asks the signal
        }
      },
      prepare: async ({ configuration }) => {
        const wanted = configuration.systemVolume('LOG').volumeType === 'partition';
        const hidden = wanted && hasPartition === false ? logDirectory(store, false) : undefined;
        hasPartition = wanted;
        if (hidden === undefined) return;
        // The partition is not mounted over a directory that holds anything.
        await all.supervisor?.fileLogs(undefined);
        await rm(hidden, { recursive: true, force: true });
      },
      close: async () => {
        await file();
        await all.supervisor?.fileLogs(undefined);
      },
    };
  },
});

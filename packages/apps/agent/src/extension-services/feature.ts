import { join } from 'node:path';

import { fieldsOf } from '@nodecore/state';
import { aborted, Serial } from '@nodecore/waiting';

import { outsideAddresses } from '../lifecycle/machine-status.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { services } from '../services/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { timeStatuses } from '../time/definitions.ts';
import { ExtensionServices } from './extension-services.ts';

/** Where extensions say which services they bring, and what these see as their root. */
const directories = { directory: '/usr/local/etc/containers', roots: '/usr/local/lib/containers' };

/** Services of extensions, on a machine that runs our image. */
export const extensionServices: Feature<undefined> = feature({
  name: 'extension-services',
  needs: { node, services },
  reads: [timeStatuses],
  make: ({ node: { options, store, log, runDirectory }, services: all }) => {
    const brought = new ExtensionServices({
      ...directories,
      runDirectory: join(runDirectory, 'extensions'),
      hasAddress: () => outsideAddresses().length > 0,
      isTimeReady: () =>
        fieldsOf(store.get({ ...kindOf(timeStatuses), id: 'node' })?.spec ?? {})['ready'] !== false,
    });
    const turn = new Serial();
    return {
      handle: undefined,
      run: (signal) => aborted(signal),
      configure: ({ configuration }) => {
        if (options.image === undefined) return;
        const settings = configuration
          .all('ExtensionServiceConfig')
          .map(
            ({ name, configFiles = [], environment = [] }) =>
              [name, { name, configFiles, environment }] as const,
          );
        const work = async (): Promise<void> => brought.apply(await all.open(), new Map(settings));
        turn
          .run(work)
          .catch((error: unknown) => log.error({ err: error }, 'services of extensions are as they were'));
      },
      close: () => turn.run(() => {}),
    };
  },
});

import { join } from 'node:path';

import { fieldsOf } from '@nodecore/state';
import { aborted, Serial } from '@nodecore/waiting';

import { outsideAddresses } from '../lifecycle/machine-status.ts';
import { maintenanceBegins } from '../maintenance/begins.ts';
import { maintenanceStatuses } from '../maintenance/definitions.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { services } from '../services/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { timeStatuses } from '../time/definitions.ts';
import { ExtensionServices, type ExtensionSettings } from './extension-services.ts';

/**
 * Where extensions say which services they bring, what these see as their root, and what is taken from them of the agent's rights:
 * modules come with an extension and by the configuration, and only the agent has the machine end.
 */
const usual = {
  directory: '/usr/local/etc/containers',
  roots: '/usr/local/lib/containers',
  confinement: ['--no-new-privs', '--bounding-set=-sys_module,-sys_boot'] as readonly string[],
};

/**
 * Services of extensions, on a machine that runs our image; while it waits for its first configuration those that need none of it,
 * such as what a cloud or a hypervisor wants to hear of a machine.
 */
export const extensionServices: Feature<undefined> = extensionsIn(usual);

/** The same with manifests and roots of a test. */
export function extensionsIn(directories: typeof usual): Feature<undefined> {
  return feature({
    name: 'extension-services',
    needs: { node, services },
    reads: [maintenanceStatuses, timeStatuses],
    make: ({ node: { options, store, log, runDirectory }, services: all }) => {
      const brought = new ExtensionServices({
        ...directories,
        runDirectory: join(runDirectory, 'extensions'),
        hasAddress: () => outsideAddresses().length > 0,
        isTimeReady: () =>
          fieldsOf(store.get({ ...kindOf(timeStatuses), id: 'node' })?.spec ?? {})['ready'] !== false,
      });
      const turn = new Serial();
      let isConfigured = false;
      const apply = (settings: ReadonlyMap<string, ExtensionSettings>): void => {
        turn
          .run(async () => brought.apply(await all.open(), settings))
          .catch((error: unknown) => log.error({ err: error }, 'services of extensions are as they were'));
      };
      return {
        handle: undefined,
        run: async (signal) => {
          await maintenanceBegins(store, signal).catch(() => {}); // the next line asks the signal
          if (!signal.aborted && !isConfigured && options.image !== undefined) apply(new Map());
          await aborted(signal);
        },
        configure: ({ configuration }) => {
          isConfigured = true;
          if (options.image === undefined) return;
          const settings = configuration
            .all('ExtensionServiceConfig')
            .map(
              ({ name, configFiles = [], environment = [] }) =>
                [name, { name, configFiles, environment }] as const,
            );
          apply(new Map(settings));
        },
        close: () => turn.run(() => {}),
      };
    },
  });
}

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { configuration } from '../configuration/feature.ts';
import { bootConfiguration } from '../configuration/sources-feature.ts';
import { discovery } from '../discovery/feature.ts';
import { eventLog } from '../events/feature.ts';
import { installs } from '../installs/feature.ts';
import { installRequests } from '../installs/requests-feature.ts';
import { keys } from '../keys/feature.ts';
import { maintenance } from '../maintenance/feature.ts';
import { node } from '../node.ts';
import { readEmbeddedMeta } from '../persistence/embedded-meta.ts';
import { hostDirectory, persistence } from '../persistence/feature.ts';
import { firmwareUuid } from '../persistence/machine-uuid.ts';
import { StateVolume } from '../persistence/state-volume.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { bootState } from './boot-state.ts';
import { loaderFacts } from '../upgrades/boot-partition.ts';
import { obeyBootOrders } from './boot-orders.ts';
import { followState, isBegunFromImage } from './follow-state.ts';

/** Finds what the node remembers and begins with it, or has maintenance begin. */
export const boot: Feature<undefined> = feature({
  name: 'state',
  needs: {
    node,
    bootConfiguration,
    hostDirectory,
    installRequests,
    installs,
    configuration,
    discovery,
    eventLog,
    keys,
    maintenance,
    persistence,
    volumes,
  },
  make: ({
    node: { end, log, clock, address, options },
    hostDirectory: directory,
    eventLog: events,
    configuration: configurator,
    volumes: controller,
    ...needs
  }) => {
    const loadFailed = (error: string): void => void events.emit({ type: 'configLoadError', error });
    if (directory === undefined) {
      const { keys: source } = needs.keys;
      const stateVolume = new StateVolume({
        log,
        inventory: needs.discovery,
        volumes: controller,
        trust: (roots) => source.trust(roots),
        ...(options.image && {
          beforeState: (meta, inventory) =>
            obeyBootOrders(
              {
                log,
                line: () => readFile(options.image!.kernelCommandLine, 'utf8'),
                bootedFrom: async () => (await loaderFacts()).partitionUuid,
                hasInstalled: () => needs.installs.hasBegun,
                end,
              },
              meta,
              inventory,
            ),
        }),
        ...(options.image && { embeddedMeta: () => readEmbeddedMeta(options.image!.embeddedMeta) }),
      });
      needs.persistence.attach(stateVolume);
      const { text: bootText, isPending: isBootPending } = needs.bootConfiguration;
      const { maintenance: begins } = needs;
      const parts = {
        log,
        clock,
        configurator,
        maintenance: begins,
        stateVolume,
        address,
        bootText,
        isBootPending,
        loadFailed,
        isInstalling: () => needs.installRequests.value !== undefined,
      };
      return { handle: undefined, run: (signal) => followState(parts, signal) };
    }
    return {
      handle: undefined,
      started: async () => {
        controller.start((await firmwareUuid()) ?? (await directory.machineUuid(randomUUID)));
        const { maintenance: begins } = needs;
        if (await bootState({ configurator, maintenance: begins, address, loadFailed }, directory)) return;
        const { text: bootText } = needs.bootConfiguration;
        if (await isBegunFromImage({ log, configurator, bootText })) return;
        await needs.maintenance.begin('the state directory holds no configuration', address());
      },
    };
  },
});

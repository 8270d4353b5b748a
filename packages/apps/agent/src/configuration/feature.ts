import { enforcedAccessControl } from '@nodecore/volumes';

import { checkAuthority } from '../certificates/certificates.ts';
import { installRequests } from '../installs/requests-feature.ts';
import { keys } from '../keys/feature.ts';
import { rootsOf } from '../keys/node-keys.ts';
import { node } from '../node.ts';
import { hostDirectory, persistence } from '../persistence/feature.ts';
import { resets } from '../resets/feature.ts';
import { dropStrings, holdStrings } from '../strings.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { Configurator } from './configurator.ts';
import { machineConfigs } from './definitions.ts';
import { formerController } from './former-controller.ts';
import { checkContainer } from './container-checks.ts';
import { checkKeys } from './key-checks.ts';
import { checkAccessControl } from './live-access-control.ts';
import { checkDirectories } from './live-directories.ts';
import { bootConfiguration } from './sources-feature.ts';
import { publishConfiguration } from './machine-config.ts';

/** Which configuration is active, and which is persisted. */
export const configuration: Feature<Configurator> = feature({
  name: 'configuration',
  needs: { node, bootConfiguration, hostDirectory, installRequests, keys, persistence, resets, volumes },
  writes: [machineConfigs],
  make: ({ node: { options, store, log, clock, ...life }, persistence: state, ...needs }) => {
    const { keys: source } = needs.keys;
    const configurator = new Configurator({
      log,
      clock,
      prepareState: async (next) => needs.hostDirectory ?? (await state.volume.prepare(next)),
      bootText: needs.bootConfiguration.text,
      awaitInstallation: (next, text) =>
        options.image !== undefined && state.isOwnMachine && state.volume.meta === undefined
          ? needs.installRequests.take(next, text)
          : undefined,
      prepareTrial: async (next) => {
        if (state.isOwnMachine) await state.volume.prepareTrial(next);
      },
      volumeStatuses: () => needs.volumes.statuses(),
      admit: async (next, active) => {
        needs.resets.requireIdle();
        if (options.container !== undefined) checkContainer(next);
        await checkAuthority(next);
        checkAccessControl(next, await enforcedAccessControl());
        const { mountRoot = '/' } = options;
        await checkDirectories(next, active, { statuses: needs.volumes.statuses(), mountRoot });
        const { machineUuid } = needs.volumes;
        return checkKeys(next, active, (id, entries) => source.try(next, machineUuid, id, entries));
      },
      activate: async ({ configuration: next, version }, previous) => {
        await life.activate({ configuration: next, previous });
        log.info({ version }, 'configuration is active');
      },
      keysInForce: () => needs.volumes.keysInForce,
      settle: async (next) => {
        if (state.isOwnMachine) await state.volume.settle(next);
        source.trust(rootsOf(next));
      },
      forgetTexts: () => dropStrings(log),
      holdTexts: holdStrings,
      publish: (active, persisted) => publishConfiguration(store, active, persisted),
    });
    return {
      handle: configurator,
      controllers: [formerController(configurator)],
      quiesce: () => configurator.close(),
      dispose: () => configurator[Symbol.dispose](),
    };
  },
});

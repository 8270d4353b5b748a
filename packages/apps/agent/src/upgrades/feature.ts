import { uptime } from 'node:os';
import { join } from 'node:path';

import { LifecycleService } from '@nodecore/api/lifecycle';
import { MachineService } from '@nodecore/api/machine';
import type { Inventory } from '@nodecore/block';
import { Latest } from '@nodecore/waiting';

import { discovery } from '../discovery/feature.ts';
import { imageVersion } from '../image/os-release.ts';
import { lifecycle } from '../lifecycle/feature.ts';
import { node, type NodeContext } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { apiAnswers } from './answers.ts';
import { architectureOfNode } from './architecture.ts';
import { Assessment } from './assessment.ts';
import { BootMenu } from './boot-menu.ts';
import { bootPlace, findBootPartition, loaderFacts } from './boot-partition.ts';
import { bootedEntries, bootEntries } from './definitions.ts';
import { UpgradeError } from './errors.ts';
import { tellFirmware } from './firmware-option.ts';
import { installerKeys } from './installer-manifest.ts';
import { enforcesSignatures, proveByFirmware } from './prove-uki.ts';
import { upgradeStatuses, releaseStatusId } from './release-status.ts';
import { rollbackHandler, upgradeHandlers } from './upgrade-service.ts';
import { type PublishedMenu, upgradesController } from './upgrades-controller.ts';
import { Upgrades } from './upgrades.ts';

/** Which releases the machine may start, how it gets another one, and whether that has proven itself. */
export const upgrades: Feature<Upgrades> = feature({
  name: 'upgrades',
  needs: { node, discovery, lifecycle, persistence },
  writes: [bootEntries, bootedEntries, upgradeStatuses],
  make: ({ node: context, discovery: inventory, lifecycle: life, persistence: state }) => {
    const { options, log, address, runDirectory, store } = context;
    const menu = new Latest<PublishedMenu>();
    const handle = new Upgrades({
      log,
      lifecycle: life,
      tellRelease: (spec) =>
        store.replace(kindOf(upgradeStatuses), new Map([[releaseStatusId, spec]]), 'upgrades'),
      meta: () => (state.isOwnMachine ? state.volume.meta : undefined),
      menu: new BootMenu({
        device: async () => deviceOf(context, inventory.value),
        loader: () => loaderFacts(),
        imageVersion: () => runningVersion(context),
        target: join(runDirectory, 'boot'),
      }),
      surroundings: async () => ({
        imageVersion: await runningVersion(context),
        architecture: architectureOfNode,
        keys: options.image === undefined ? [] : await installerKeys(options.image.installerKeys),
        secureBoot: await enforcesSignatures(),
        proveByFirmware,
        tellFirmware: () =>
          tellFirmware(
            async () => bootPlace(inventory.value, await deviceOf(context, inventory.value)),
            'present',
            { log, inventory: inventory.value, architecture: architectureOfNode },
          ),
        directory: '/var/tmp/nodeos-upgrade',
      }),
      publish: (entries, booted) => menu.set({ entries, booted }),
    });
    return {
      handle,
      services: (calls) => [
        servicePart(LifecycleService, upgradeHandlers(handle, calls)),
        servicePart(MachineService, rollbackHandler(handle, calls)),
      ],
      controllers: [
        upgradesController({
          log,
          menu,
          find:
            options.image &&
            (async () => {
              await handle.keepCrashReport();
              return await handle.refresh();
            }),
          assess: () =>
            new Assessment({
              log,
              uptimeMs: () => uptime() * 1000,
              answers: () => apiAnswers(address().port),
              bless: () => handle.bless(),
              giveUp: (reason) => handle.giveUp(reason),
            }),
          good: () => void options.init?.say('blessed'),
        }),
      ],
    };
  },
});

async function deviceOf({ options }: NodeContext, inventory: Inventory | undefined): Promise<string> {
  if (options.image === undefined || inventory === undefined)
    throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'machine is not installed');
  return findBootPartition(inventory, await loaderFacts());
}

/** @throws {UpgradeError} where no release of ours runs. */
async function runningVersion({ options: { image } }: NodeContext): Promise<string> {
  const version = image && (await imageVersion(image.osRelease));
  if (version !== undefined) return version;
  throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'machine is not installed');
}

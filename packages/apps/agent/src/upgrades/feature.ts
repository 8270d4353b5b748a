import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';

import { LifecycleService } from '@nodecore/api/lifecycle';
import { MachineService } from '@nodecore/api/machine';
import { Latest } from '@nodecore/waiting';

import { discovery } from '../discovery/feature.ts';
import { lifecycle } from '../lifecycle/feature.ts';
import { startedBy } from '../kexec/command-line.ts';
import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { apiAnswers } from './answers.ts';
import { architectureOfNode } from './architecture.ts';
import { Assessment } from './assessment.ts';
import { BegunRollback } from './begun-rollback.ts';
import { bootPlace } from './boot-partition.ts';
import { bootedEntries, bootEntries } from './definitions.ts';
import { tellFirmware } from './firmware-option.ts';
import { installerKeys } from './installer-manifest.ts';
import { bootMenu, deviceOf, runningVersion } from './menu-feature.ts';
import { enforcesSignatures, proveByFirmware } from './prove-uki.ts';
import { upgradeStatuses, releaseStatusId } from './release-status.ts';
import { rollbackHandler, upgradeHandlers } from './upgrade-service.ts';
import { type PublishedMenu, upgradesController } from './upgrades-controller.ts';
import { Upgrades } from './upgrades.ts';

/** Which releases the machine may start, how it gets another one, and whether that has proven itself. */
export const upgrades: Feature<Upgrades> = feature({
  name: 'upgrades',
  needs: { node, bootMenu, discovery, lifecycle, persistence },
  writes: [bootEntries, bootedEntries, upgradeStatuses],
  make: ({
    node: context,
    bootMenu: machineMenu,
    discovery: inventory,
    lifecycle: life,
    persistence: state,
  }) => {
    const { options, log, address, store } = context;
    const menu = new Latest<PublishedMenu>();
    const handle = new Upgrades({
      log,
      lifecycle: life,
      begunRollback: new BegunRollback(join(context.runDirectory, 'rollback')),
      tellRelease: (spec) =>
        store.replace(kindOf(upgradeStatuses), new Map([[releaseStatusId, spec]]), 'upgrades'),
      meta: () => (state.isOwnMachine ? state.volume.meta : undefined),
      menu: machineMenu,
      startedBy: async () =>
        startedBy(options.image === undefined ? '' : await readFile(options.image.kernelCommandLine, 'utf8')),
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
              await handle.resumeRollback();
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

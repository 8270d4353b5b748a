import { LifecycleService } from '@nodecore/api/lifecycle';
import { fieldsOf } from '@nodecore/state';
import { findSystemDisk } from '@nodecore/volumes';
import { Latest } from '@nodecore/waiting';

import { configuration } from '../configuration/feature.ts';
import { discovery } from '../discovery/feature.ts';
import { discoveryStatuses } from '../discovery/definitions.ts';
import { taggedImageVersion } from '../image/os-release.ts';
import { lifecycle } from '../lifecycle/feature.ts';
import { node } from '../node.ts';
import { readEmbeddedMeta } from '../persistence/embedded-meta.ts';
import { persistence } from '../persistence/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { readExtensions } from '../system/extensions.ts';
import { volumes } from '../volumes/feature.ts';
import { hasUefi, loaderFacts } from '../upgrades/boot-partition.ts';
import { tellFirmware } from '../upgrades/firmware-option.ts';
import { installerKeys } from '../upgrades/installer-manifest.ts';
import { architectureOfNode } from '../upgrades/architecture.ts';
import { enforcesSignatures, proveByFirmware } from '../upgrades/prove-uki.ts';
import { installStatuses, releaseStatusId } from '../upgrades/release-status.ts';
import type { DiskScene } from './choose-disk.ts';
import { unattendedInstallStatuses } from './definitions.ts';
import { machineDisks } from './disks.ts';
import { InstallError } from './errors.ts';
import { installerOf } from './image-reference.ts';
import { installHandlers } from './install-service.ts';
import { Installs } from './installs.ts';
import { installRequests } from './requests-feature.ts';
import { Unattended } from './unattended.ts';
import { unattendedController } from './unattended-controller.ts';
import type { UnattendedStatus } from './unattended-status.ts';

/** How a machine gets its system disk: by a call, or because its first configuration asks for it. */
export const installs: Feature<Installs> = feature({
  name: 'installs',
  needs: { node, configuration, discovery, installRequests, lifecycle, persistence, volumes },
  writes: [installStatuses, unattendedInstallStatuses],
  make: ({
    node: { options, store, log },
    configuration: configurator,
    discovery: inventory,
    installRequests: requests,
    lifecycle: life,
    persistence: state,
    volumes: controller,
  }) => {
    const { image } = options;
    /** All disks have been looked at: one that is still to come may be the system disk. */
    const isSettled = (): boolean => {
      const status = store.get({ ...kindOf(discoveryStatuses), id: 'discovery' })?.spec;
      return fieldsOf(status ?? null)['ready'] === true;
    };
    const scene = async (): Promise<DiskScene | undefined> => {
      const { value } = inventory;
      if (value === undefined || !isSettled()) return undefined;
      return { inventory: value, bootedFrom: (await loaderFacts()).partitionUuid };
    };
    const handle = new Installs({
      lifecycle: life,
      tellRelease: (spec) =>
        store.replace(kindOf(installStatuses), new Map([[releaseStatusId, spec]]), 'installs'),
      systemDisk: () => inventory.value && findSystemDisk(inventory.value),
      surroundings: async () => {
        const known = await scene();
        if (image === undefined || !state.isOwnMachine)
          throw new InstallError(
            'ERR_INSTALL_HOST',
            'this machine does not run the node OS: nothing is installed on it',
          );
        if (known === undefined)
          throw new InstallError('ERR_INSTALL_HOST', 'the disks are still being looked at: try again');
        return {
          scene: known,
          disks: machineDisks,
          isBios: !(await hasUefi()),
          architecture: architectureOfNode,
          keys: await installerKeys(image.installerKeys),
          secureBoot: await enforcesSignatures(),
          proveByFirmware,
          tellFirmware: (place) =>
            tellFirmware(async () => place, 'first', {
              log,
              inventory: known.inventory,
              architecture: architectureOfNode,
            }),
          embeddedMeta: () => readEmbeddedMeta(image.embeddedMeta),
          directory: '/var/tmp/nodeos-upgrade',
        };
      },
    });
    const status = new Latest<UnattendedStatus | undefined>();
    const unattended = new Unattended({
      log,
      requests,
      installs: handle,
      status,
      scene,
      image: async () =>
        installerOf({
          extensions: image === undefined ? [] : await readExtensions(image.extensions),
          version: image && (await taggedImageVersion(image.osRelease)),
          secureBoot: await enforcesSignatures(),
        }),
      // STATE can be made from the moment that volumes can be had, which is after META was read.
      hasSystem: () =>
        state.isOwnMachine && state.volume.meta !== undefined && controller.mounted !== undefined,
      persist: async (text) => {
        await configurator.apply({ text, mode: 'auto', dryRun: false, anonymous: true });
      },
      reboot: () => void life.begin('reboot', { takesOver: false }),
    });
    return {
      handle,
      services: (calls) => [servicePart(LifecycleService, installHandlers(handle, calls))],
      controllers:
        image === undefined ? [] : [unattendedController({ unattended, requests, inventory, status })],
      configure: ({ configuration: active }) => {
        if (requests.value !== undefined) return; // it is the one that asks for it
        const isWanted = active.get('UnattendedInstallConfig') !== undefined;
        status.set(isWanted ? (status.value ?? { phase: 'installed' }) : undefined);
      },
    };
  },
});

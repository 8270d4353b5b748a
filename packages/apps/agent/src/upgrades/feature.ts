import { uptime } from 'node:os';
import { join } from 'node:path';

import { LifecycleService } from '@nodecore/api/lifecycle';
import { MachineService } from '@nodecore/api/machine';
import type { Inventory } from '@nodecore/block';
import type { Entry } from '@nodecore/boot';
import { codeOf } from '@nodecore/sys';
import { aborted } from '@nodecore/waiting';

import { discovery } from '../discovery/feature.ts';
import { imageVersion } from '../image/os-release.ts';
import { lifecycle } from '../lifecycle/feature.ts';
import { machineStatuses } from '../lifecycle/definitions.ts';
import type { MachineStatus } from '../lifecycle/machine-status.ts';
import { node, type NodeContext } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { apiAnswers } from './answers.ts';
import { assess } from './assessment.ts';
import { BootMenu } from './boot-menu.ts';
import { findBootPartition, loaderFacts } from './boot-partition.ts';
import { bootedEntries, bootEntries } from './definitions.ts';
import { UpgradeError } from './errors.ts';
import { installerKeys } from './installer-manifest.ts';
import { enforcesSignatures, proveByFirmware } from './prove-uki.ts';
import { rollbackHandler, upgradeHandlers } from './upgrade-service.ts';
import { Upgrades } from './upgrades.ts';

const owner = 'upgrades';
/** Disks may be slow to appear. */
const lookMs = 5000;
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Which releases the machine may start, how it gets another one, and whether that has proven itself. */
export const upgrades: Feature<Upgrades> = feature({
  name: 'upgrades',
  needs: { node, discovery, lifecycle, persistence },
  reads: [machineStatuses],
  writes: [bootEntries, bootedEntries],
  make: ({ node: context, discovery: inventory, lifecycle: life, persistence: state }) => {
    const { options, log, clock, store, address, runDirectory } = context;
    const handle = new Upgrades({
      log,
      lifecycle: life,
      meta: () => (state.isOwnMachine ? state.volume.meta : undefined),
      menu: new BootMenu({
        device: async () => deviceOf(context, inventory.value),
        loader: () => loaderFacts(),
        imageVersion: () => runningVersion(context),
        target: join(runDirectory, 'boot'),
      }),
      surroundings: async () => ({
        imageVersion: await runningVersion(context),
        architecture: architectures[process.arch] ?? process.arch,
        keys: options.image === undefined ? [] : await installerKeys(options.image.installerKeys),
        secureBoot: await enforcesSignatures(),
        proveByFirmware,
        directory: '/var/tmp/nodeos-upgrade',
      }),
      publish: (entries, booted) => {
        store.replace(kindOf(bootEntries), entries, owner);
        store.replace(kindOf(bootedEntries), new Map([['booted', booted]]), owner);
      },
    });
    return {
      handle,
      services: (calls) => [
        servicePart(LifecycleService, upgradeHandlers(handle, calls)),
        servicePart(MachineService, rollbackHandler(handle, calls)),
      ],
      run: async (signal) => {
        const booted = options.image === undefined ? undefined : await found(handle, context, signal);
        if (booted?.state === 'trying')
          await assess(
            {
              log,
              clock,
              uptimeMs: () => uptime() * 1000,
              status: () => machineStatusOf(store),
              answers: () => apiAnswers(address().port),
              bless: () => handle.bless(),
              giveUp: (reason) => handle.giveUp(reason),
            },
            signal,
          );
        if (booted !== undefined && !signal.aborted) options.init?.say('blessed');
        await aborted(signal);
      },
    };
  },
});

/** It is written by the lifecycle alone; undefined before its first look. */
function machineStatusOf(store: NodeContext['store']): MachineStatus | undefined {
  return store.get({ ...kindOf(machineStatuses), id: 'machine' })?.spec as MachineStatus | undefined;
}

/** Resolves with the entry that runs, as soon as its disk is here; a machine that runs from other media waits for ever. */
async function found(
  handle: Upgrades,
  { log, clock }: NodeContext,
  signal: AbortSignal,
): Promise<Entry | undefined> {
  let told = '';
  while (!signal.aborted) {
    try {
      return await handle.refresh();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== told) log.info({ code: codeOf(error) }, `boot menu: ${reason}`);
      told = reason;
    }
    await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
  }
  return undefined;
}

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

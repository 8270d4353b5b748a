import { join } from 'node:path';

import type { Inventory } from '@nodecore/block';

import { discovery } from '../discovery/feature.ts';
import { imageVersion } from '../image/os-release.ts';
import { node, type NodeContext } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { BootMenu } from './boot-menu.ts';
import { findBootPartition, loaderFacts } from './boot-partition.ts';
import { UpgradeError } from './errors.ts';

/** The boot menu of the machine, which is open to one at a time. */
export const bootMenu: Feature<BootMenu> = feature({
  name: 'boot-menu',
  needs: { node, discovery },
  make: ({ node: context, discovery: inventory }) => ({
    handle: new BootMenu({
      device: async () => deviceOf(context, inventory.value),
      loader: () => loaderFacts(),
      imageVersion: () => runningVersion(context),
      target: join(context.runDirectory, 'boot'),
    }),
  }),
});

/** The partition with the entries. @throws {UpgradeError} where no release of ours runs, or not from this disk. */
export async function deviceOf({ options }: NodeContext, inventory: Inventory | undefined): Promise<string> {
  if (options.image === undefined || inventory === undefined)
    throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'machine is not installed');
  return findBootPartition(inventory, await loaderFacts());
}

/** @throws {UpgradeError} where no release of ours runs. */
export async function runningVersion({ options: { image } }: NodeContext): Promise<string> {
  const version = image && (await imageVersion(image.osRelease));
  if (version !== undefined) return version;
  throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'machine is not installed');
}

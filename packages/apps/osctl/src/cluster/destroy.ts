import { print, type Terminal } from '@nodecore/cli';
import { destroyCluster } from '@nodecore/clusters';

import { directoryOf, type PlaceFlags } from './place.ts';

/** Takes a cluster away, and says so. */
export async function destroy(
  flags: PlaceFlags & { readonly force?: true },
  terminal: Terminal,
): Promise<void> {
  await destroyCluster(directoryOf(flags, terminal), { force: flags.force === true });
  await print(terminal.error, `cluster ${flags.name} is gone\n`);
}

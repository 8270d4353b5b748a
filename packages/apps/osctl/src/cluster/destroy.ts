import { print, printFound, readFormat, type Terminal } from '@nodecore/cli';
import { destroyCluster } from '@nodecore/clusters';

import { directoryOf, type PlaceFlags } from './place.ts';

/** The flags of `osctl cluster destroy`. */
export type DestroyFlags = PlaceFlags & {
  readonly force?: true;
  readonly saveClusterLogsArchivePath?: string;
  readonly output: string;
};

/** Takes a cluster away, and says so. */
export async function destroy(flags: DestroyFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await destroyCluster(directoryOf(flags, terminal), {
    force: flags.force === true,
    logsArchive: flags.saveClusterLogsArchivePath,
  });
  await print(terminal.error, `cluster ${flags.name} is gone\n`);
  const gone = { name: flags.name, destroyed: true };
  await printFound(terminal, format, [gone], { single: true, text: () => '' });
}

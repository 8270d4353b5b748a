import { print, printFound, readFormat, type Terminal } from '@nodecore/cli';
import { type ClusterDirectory, destroyCluster, requireOutside } from '@nodecore/clusters';

import { saveSupportArchive } from './support-archive.ts';
import { directoryOf, type PlaceFlags } from './place.ts';

/** The flags of `osctl cluster destroy`. */
export type DestroyFlags = PlaceFlags & {
  readonly force?: true;
  readonly saveClusterLogsArchivePath?: string;
  readonly saveSupportArchivePath?: string;
  readonly output: string;
};

/** Takes a cluster away, and says so. */
export async function destroy(flags: DestroyFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const directory = directoryOf(flags, terminal);
  const { saveSupportArchivePath: archive } = flags;
  if (archive !== undefined) await saveSupport(directory, archive, flags.force === true, terminal);
  await destroyCluster(directory, {
    force: flags.force === true,
    logsArchive: flags.saveClusterLogsArchivePath,
  });
  await print(terminal.error, `cluster ${flags.name} is gone\n`);
  const gone = { name: flags.name, destroyed: true };
  await printFound(terminal, format, [gone], { single: true, text: () => '' });
}

/** What can't be saved keeps the cluster, unless it is to go whatever happens. */
async function saveSupport(
  directory: ClusterDirectory,
  path: string,
  isForced: boolean,
  terminal: Terminal,
): Promise<void> {
  if (await directory.exists()) await requireOutside(directory.path, path);
  try {
    await saveSupportArchive(directory, path, terminal);
  } catch (error) {
    if (!isForced || terminal.signal.aborted) throw error;
    await print(terminal.error, `${path}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

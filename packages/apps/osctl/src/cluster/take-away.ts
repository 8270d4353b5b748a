import { type ClusterDirectory, destroyCluster, readState } from '@nodecore/clusters';
import { codeOf } from '@nodecore/sys';

/**
 * Takes away what a creation has made that failed. A cluster whose machines have run before stays: it was gone on with, and whoever has
 * its context may have put something on it.
 */
export async function takeAway(directory: ClusterDirectory, say: (line: string) => void): Promise<void> {
  try {
    const { contexts } = await readState(directory);
    if (contexts.length > 0) {
      say(`cluster ${directory.name} stays as it is: osctl cluster destroy --name ${directory.name}`);
      return;
    }
    await destroyCluster(directory, { force: true });
  } catch (error) {
    if (codeOf(error) !== 'ERR_CLUSTER_NOT_FOUND')
      say(error instanceof Error ? error.message : String(error));
  }
}

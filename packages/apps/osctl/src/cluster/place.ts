import { join } from 'node:path';

import { osHome } from '@nodecore/api';
import type { Terminal } from '@nodecore/cli';
import { ClusterDirectory } from '@nodecore/clusters';

/** Which cluster, and where clusters are. */
export type PlaceFlags = { readonly name: string; readonly state?: string };

/** Parent of the directories of clusters. */
export function stateOf({ state }: { readonly state?: string }, { env }: Pick<Terminal, 'env'>): string {
  return state ?? join(osHome(env), 'clusters');
}

/** Directory of images; clusters share them. */
export function cacheOf({ env }: Pick<Terminal, 'env'>): string {
  return join(osHome(env), 'cache', 'images');
}

/** The directory of the cluster that the flags name. */
export function directoryOf(flags: PlaceFlags, terminal: Pick<Terminal, 'env'>): ClusterDirectory {
  return new ClusterDirectory(stateOf(flags, terminal), flags.name);
}

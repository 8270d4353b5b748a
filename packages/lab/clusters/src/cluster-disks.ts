import type { DiskDriver, DiskSpec } from '@nodecore/machine';

import { attachedDisks, sizeOf } from './attached-disks.ts';
import type { ClusterDirectory } from './directory.ts';
import { callKeeper } from './keeper/client.ts';
import { changeDisks, type DiskChange } from './keeper/disk-changes.ts';
import { keepCluster, machineRuns, type PowerOptions } from './life.ts';
import { chosenNodes } from './chosen-nodes.ts';
import type { PlannedNode } from './plan.ts';

/** A disk of a machine of a cluster, for people and programs. */
export type ClusterDisk = {
  readonly machine: string;
  readonly serial: string;
  readonly driver: DiskDriver;
  /** As it is now. */
  readonly sizeBytes: number;
  /** Whether it was made with the cluster; else it was attached later. */
  readonly isPlanned: boolean;
};

/** Disks of a cluster's machines, or of one by its name or address. @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` */
export async function disksOf(
  directory: ClusterDirectory,
  machine: string | undefined,
): Promise<readonly ClusterDisk[]> {
  const plan = await directory.requirePlan();
  const chosen = chosenNodes(plan, machine === undefined ? undefined : [machine]);
  const all = chosen.map(async (node) => {
    const disks = [...node.disks, ...(await attachedDisks(directory, node))];
    return await Promise.all(disks.map((disk) => viewOf(directory, node, disk)));
  });
  return (await Promise.all(all)).flat();
}

/**
 * Changes a disk of a machine: at once where the cluster runs, else from its next start.
 *
 * @param cache directory of images.
 * @param machine its name or address.
 * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`; `ERR_CLUSTER_REQUEST` for what would lose what is on it, or can't be now;
 * `ERR_CLUSTER_TIMEOUT` for a guest that does not let go.
 */
export async function changeClusterDisk(
  directory: ClusterDirectory,
  cache: string,
  machine: string,
  change: DiskChange,
  { signal }: Pick<PowerOptions, 'signal'> = {},
): Promise<ClusterDisk> {
  const plan = await directory.requirePlan();
  const [node] = chosenNodes(plan, [machine]);
  if (node === undefined) throw new TypeError('one name is one machine');
  await keepCluster(directory, cache);
  const call = { method: 'disk', node: node.name, change } as const;
  const disk = (await machineRuns(directory))
    ? ((await callKeeper(directory, call, signal && { signal })) as DiskSpec)
    : await changeDisks(directory, node, undefined, change);
  return await viewOf(directory, node, disk);
}

async function viewOf(directory: ClusterDirectory, node: PlannedNode, disk: DiskSpec): Promise<ClusterDisk> {
  return {
    machine: node.name,
    serial: disk.serial,
    driver: disk.driver,
    sizeBytes: (await sizeOf(directory, node, disk)) ?? disk.sizeBytes,
    isPlanned: node.disks.some(({ serial }) => serial === disk.serial),
  };
}

import { stat } from 'node:fs/promises';

import { diskFile, type DiskSpec } from '@nodecore/machine';

import type { ClusterDirectory } from './directory.ts';
import type { DiskRequest } from './disks.ts';
import { ClusterError } from './errors.ts';
import type { PlannedNode } from './plan.ts';
import { changeState, readState } from './state.ts';

/** Disks that a machine has besides the planned ones. */
export async function attachedDisks(
  directory: ClusterDirectory,
  { name }: Pick<PlannedNode, 'name'>,
): Promise<readonly DiskSpec[]> {
  return (await readState(directory)).disks?.[name] ?? [];
}

/** Has a machine have these disks besides the planned ones. */
export async function changeAttached(
  directory: ClusterDirectory,
  { name }: Pick<PlannedNode, 'name'>,
  disks: readonly DiskSpec[],
): Promise<void> {
  await changeState(directory, (state) => ({ disks: { ...state.disks, [name]: disks } }));
}

/** A disk of a machine, planned or attached. @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` with the serials of those that it has. */
export async function findDisk(
  directory: ClusterDirectory,
  node: PlannedNode,
  serial: string,
): Promise<DiskSpec> {
  const disks = [...node.disks, ...(await attachedDisks(directory, node))];
  const found = disks.find((disk) => disk.serial === serial);
  if (found !== undefined) return found;
  const known = disks.map((disk) => disk.serial).join(', ');
  throw new ClusterError('ERR_CLUSTER_NOT_FOUND', `no disk ${serial} in ${node.name}: there is ${known}`);
}

/**
 * A new disk of a machine; without a serial it gets one that none has had.
 *
 * @throws {ClusterError} `ERR_CLUSTER_REQUEST` for a serial that is taken.
 */
export async function newDisk(
  directory: ClusterDirectory,
  node: PlannedNode,
  wish: DiskRequest,
): Promise<DiskSpec> {
  const disks = [...node.disks, ...(await attachedDisks(directory, node))];
  const taken = new Set(disks.map(({ serial }) => serial));
  if (wish.serial !== undefined && taken.has(wish.serial))
    throw new ClusterError('ERR_CLUSTER_REQUEST', `${node.name} has a disk ${wish.serial}`);
  if (wish.serial !== undefined) return { ...wish, serial: wish.serial };
  for (let number = node.disks.length; ; number += 1) {
    const disk = { ...wish, serial: `${node.index}-${number}` };
    // What was detached is kept, and comes again only when it is asked for.
    if (!taken.has(disk.serial) && (await sizeOf(directory, node, disk)) === undefined) return disk;
  }
}

/** Bytes of a disk as it is now; undefined while it was not made. */
export async function sizeOf(
  directory: ClusterDirectory,
  node: Pick<PlannedNode, 'index'>,
  disk: DiskSpec,
): Promise<number | undefined> {
  return await stat(diskFile(disk, directory.node(node))).then(
    ({ size }) => size,
    () => undefined,
  );
}

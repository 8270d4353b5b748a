import { truncate } from 'node:fs/promises';

import { diskFile, type DiskSpec, type Machine } from '@nodecore/machine';

import { attachedDisks, changeAttached, findDisk, newDisk, sizeOf } from '../attached-disks.ts';
import type { ClusterDirectory } from '../directory.ts';
import type { DiskRequest } from '../disks.ts';
import { ClusterError } from '../errors.ts';
import type { PlannedNode } from '../plan.ts';

/** What is done to a disk of a machine. */
export type DiskChange =
  | { readonly action: 'attach'; readonly disk: DiskRequest }
  | { readonly action: 'detach'; readonly serial: string }
  | { readonly action: 'resize'; readonly serial: string; readonly sizeBytes: number };

/** A guest with a driver lets go within seconds; firmware never does. */
const detachLimitMs = 30_000;

/**
 * Changes the disks of a machine: at once while it runs, else from its next start.
 *
 * @param machine undefined when nobody keeps one: it is off.
 * @returns the disk, as it is then.
 * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND`, `ERR_CLUSTER_REQUEST`, `ERR_CLUSTER_TIMEOUT`
 * @throws {MachineError} `ERR_MACHINE_REFUSED` for what comes to no running machine; nothing is changed.
 */
export async function changeDisks(
  directory: ClusterDirectory,
  node: PlannedNode,
  machine: Machine | undefined,
  change: DiskChange,
): Promise<DiskSpec> {
  if (node.namespace !== undefined)
    throw new ClusterError('ERR_CLUSTER_REQUEST', `${node.name} is a container, which has no disks`);
  const running = machine?.state === 'off' ? undefined : machine;
  if (change.action === 'attach') {
    const disk = await newDisk(directory, node, change.disk);
    await running?.attachDisk(disk);
    await changeAttached(directory, node, [...(await attachedDisks(directory, node)), disk]);
    return disk;
  }
  const disk = await findDisk(directory, node, change.serial);
  if (change.action === 'detach') return await detach(directory, node, running, disk);
  const { sizeBytes } = change;
  const before = await sizeOf(directory, node, disk);
  if (before === undefined)
    throw new ClusterError(
      'ERR_CLUSTER_STATE',
      `disk ${disk.serial} is made with the next start of ${node.name}`,
    );
  if (sizeBytes < before) {
    const words = `disk ${disk.serial} has ${before} bytes: with ${sizeBytes} it would lose what is behind them`;
    throw new ClusterError('ERR_CLUSTER_REQUEST', words);
  }
  if (machine === undefined) await truncate(diskFile(disk, directory.node(node)), sizeBytes);
  else await machine.resizeDisk(disk, sizeBytes);
  return { ...disk, sizeBytes };
}

/** The file stays, with what is on it. A planned disk comes again with the next start. */
async function detach(
  directory: ClusterDirectory,
  node: PlannedNode,
  running: Machine | undefined,
  disk: DiskSpec,
): Promise<DiskSpec> {
  const isPlanned = node.disks.some(({ serial }) => serial === disk.serial);
  if (isPlanned && running === undefined) {
    const words = `${node.name} is off, and begins with its planned disks: ${disk.serial} is one of them`;
    throw new ClusterError('ERR_CLUSTER_REQUEST', words);
  }
  if (running !== undefined) {
    const present = running.disks.find(({ serial }) => serial === disk.serial);
    if (present === undefined)
      throw new ClusterError('ERR_CLUSTER_NOT_FOUND', `disk ${disk.serial} is not in ${node.name} now`);
    await withinLimit(running.detachDisk(present), node, disk);
  }
  if (!isPlanned) {
    const left = (await attachedDisks(directory, node)).filter(({ serial }) => serial !== disk.serial);
    await changeAttached(directory, node, left);
  }
  return disk;
}

async function withinLimit(work: Promise<void>, { name }: PlannedNode, { serial }: DiskSpec): Promise<void> {
  const limit = Promise.withResolvers<never>();
  const words = `${name} does not let go of disk ${serial}: what runs there has no driver for that, or uses it`;
  const timer = setTimeout(() => limit.reject(new ClusterError('ERR_CLUSTER_TIMEOUT', words)), detachLimitMs);
  try {
    await Promise.race([work, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

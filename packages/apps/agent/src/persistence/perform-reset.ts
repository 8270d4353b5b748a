import { type Disk, type Inventory, partitions, wipe, type WipeContentOptions } from '@nodecore/block';
import { type DiskIdentity, isDisk } from '@nodecore/volumes';

import type { LabelledPartition, ResetRecord } from './reset-record.ts';

/** What a reset does to disks. */
export interface ResetEffects {
  /** GUIDs of the partitions of a disk. */
  partitions(disk: string): Promise<ReadonlySet<string>>;
  /**
   * The path of a partition, which the kernel has exactly where the table has it: it is told where it does not know.
   *
   * @throws {BlockError} `ERR_BLOCK_BUSY`: the kernel has another partition there.
   */
  locate(disk: string, partitionGuid: string): Promise<string>;
  /** Fails when {@link wipeContent} would, because it is in use, and changes nothing. */
  requireUnused(path: string, sequence: bigint | undefined): Promise<void>;
  wipeContent(path: string, options: WipeContentOptions): Promise<void>;
  removePartition(disk: string, partitionGuid: string): Promise<void>;
}

/** This machine's disks. Needs root. */
export const machineDisks: ResetEffects = {
  partitions: async (disk) => {
    const table = await partitions.read(disk);
    return new Set(table?.partitions.map(({ partitionGuid }) => partitionGuid));
  },
  locate: async (disk, partitionGuid) => {
    const [partition] = await partitions.announce(disk, { partitionGuid, toRemove: true });
    if (partition === undefined) throw new TypeError(`${disk}: nothing was announced`);
    return partition.devPath;
  },
  requireUnused: (path, sequence) => wipe.requireUnused(path, { sequence }),
  wipeContent: (path, options) => wipe.content(path, options),
  removePartition: (disk, guid) => partitions.remove(disk, guid),
};

/** How far it is; `absent` is not here any more, and stays as it is. */
export type WipeNews = {
  readonly name: string;
  readonly state: 'running' | 'done' | 'absent';
  readonly doneBytes: bigint;
};

/** What is to be wiped must not be in use: later, nothing but the reset is possible. @throws {BlockError} `ERR_BLOCK_BUSY` */
export async function requireUnused(
  { partitions: entries, disks }: ResetRecord,
  inventory: Inventory,
  effects: ResetEffects,
): Promise<void> {
  for (const entry of entries) {
    const { disk, path } = await findPartition(entry, inventory, effects);
    if (path !== undefined) await effects.requireUnused(path, disk?.sequence);
  }
  for (const identity of disks) {
    const disk = findDisk(inventory, identity);
    if (disk !== undefined) await effects.requireUnused(disk.devPath, disk.sequence);
  }
}

/** What a record names whose disk is not here, in words. */
export function missingFrom(
  inventory: Inventory,
  { partitions: entries, disks }: ResetRecord,
): readonly string[] {
  const isMissing = (identity: DiskIdentity): boolean => findDisk(inventory, identity) === undefined;
  return [
    ...entries.filter(({ disk }) => isMissing(disk)).map(({ label, disk }) => `${label} on ${nameOf(disk)}`),
    ...disks.filter(isMissing).map(nameOf),
  ];
}

function nameOf({ devPath, wwid, serial, busPath }: DiskIdentity): string {
  return `${devPath} (${wwid || serial || busPath})`;
}

/**
 * Wipes what a record names, and nothing else. Again is fine: what is gone already is done. The entry of a partition goes
 * after its content, and says until then where the rest of it is.
 */
export async function wipeRecorded(
  { partitions: entries, disks }: ResetRecord,
  inventory: Inventory,
  { effects, tell }: { readonly effects: ResetEffects; readonly tell: (news: WipeNews) => void },
): Promise<void> {
  const clean = async (name: string, path: string, { sequence }: Disk): Promise<void> => {
    const onProgress = (doneBytes: bigint): void => tell({ name, state: 'running', doneBytes });
    onProgress(0n);
    await effects.wipeContent(path, { method: 'fast', sequence, onProgress });
  };
  for (const entry of entries) {
    const { label, partitionGuid } = entry;
    const { disk, path } = await findPartition(entry, inventory, effects);
    if (disk !== undefined && path !== undefined) {
      await clean(label, path, disk);
      await effects.removePartition(disk.devPath, partitionGuid);
    }
    tell({ name: label, state: disk === undefined ? 'absent' : 'done', doneBytes: 0n });
  }
  for (const identity of disks) {
    const disk = findDisk(inventory, identity);
    const name = identity.devPath.replace('/dev/', '');
    if (disk !== undefined) await clean(name, disk.devPath, disk);
    tell({ name, state: disk === undefined ? 'absent' : 'done', doneBytes: 0n });
  }
}

/** Where a partition is now; its path is undefined when it is gone. What the kernel has forgotten it has again then. */
async function findPartition(
  { disk: identity, partitionGuid }: LabelledPartition,
  inventory: Inventory,
  effects: ResetEffects,
): Promise<{ readonly disk: Disk | undefined; readonly path: string | undefined }> {
  const disk = findDisk(inventory, identity);
  if (disk === undefined || !(await effects.partitions(disk.devPath)).has(partitionGuid))
    return { disk, path: undefined };
  return { disk, path: await effects.locate(disk.devPath, partitionGuid) };
}

/** Kernel names change hands: the disk that was meant, when exactly one is like it. */
function findDisk({ disks }: Inventory, identity: DiskIdentity): Disk | undefined {
  const [disk, ...others] = disks.filter((each) => isDisk(each, identity));
  return others.length === 0 ? disk : undefined;
}

import { open } from 'node:fs/promises';

import {
  type AddPartitionOptions,
  construction,
  type ConstructionMark,
  emptiness,
  type Emptiness,
  type Partition,
  partitions,
  type PartitionTable,
  wipe,
} from '@nodecore/block';
import type { View } from '@nodecore/view';

import { compareView, writeView } from './write-view.ts';

/** Where a partition is when it is written: its node; in a plain file a range of that. */
type Place = Pick<Partition, 'devPath' | 'offset' | 'partitionGuid'>;

/** What an installation does to a disk, one step each: tests cut the power between any two. */
export type InstallDisks = {
  /** `emptyTable`: a table without a partition counts as nothing, and so do marks of construction. */
  emptiness(disk: string, options?: { readonly emptyTable?: boolean }): Promise<Emptiness>;
  table(disk: string): Promise<PartitionTable | undefined>;
  isMarked(disk: string, partition: Place, mark: ConstructionMark): Promise<boolean>;
  /** DESTROYS what is on the disk. */
  wipe(disk: string, sequence: bigint | undefined): Promise<void>;
  createTable(
    disk: string,
    options: { readonly sequence: bigint | undefined; readonly wiped: boolean },
  ): Promise<void>;
  add(disk: string, options: AddPartitionOptions): Promise<Partition>;
  remove(disk: string, partitionGuid: string): Promise<void>;
  /** Its first block last, so that it is nothing until all of it is there. Durable when it resolves. */
  write(disk: string, partition: Place, view: View, options: WriteOptions): Promise<void>;
  /** @throws {InstallError} `ERR_INSTALL_WRITE` when the disk has something else. */
  compare(disk: string, partition: Place, view: View, signal?: AbortSignal): Promise<void>;
  /** Code that a BIOS starts, for the first bytes of the disk: the rest of the sector stays. Durable when it resolves. */
  writeBootCode(disk: string, code: Uint8Array): Promise<void>;
  /** Nothing says any more that the partition may be made again. */
  finish(disk: string, partition: Place, mark: ConstructionMark): Promise<void>;
};

export type WriteOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly progress: (doneBytes: number) => void;
};

/** The disks of this machine. Needs root. */
export const machineDisks: InstallDisks = {
  emptiness: (disk, options) => emptiness(disk, options),
  table: (disk) => partitions.read(disk),
  isMarked: (_disk, { devPath }, mark) => construction.isMarked(devPath, mark),
  wipe: (disk, sequence) => wipe.content(disk, { method: 'fast', sequence }),
  createTable: async (disk, options) => {
    await partitions.create(disk, options);
  },
  add: (disk, options) => partitions.add(disk, options),
  remove: (disk, partitionGuid) => partitions.remove(disk, partitionGuid),
  write: (disk, partition, view, options) => writeView(placeOf(disk, partition), view, options),
  compare: (disk, partition, view, signal) => compareView(placeOf(disk, partition), view, signal),
  writeBootCode: async (disk, code) => {
    await using file = await open(disk, 'r+');
    await file.write(code, 0, code.length, 0);
    await file.sync();
  },
  finish: async (disk, { devPath, partitionGuid }, mark) => {
    if (devPath !== '') await construction.end(devPath, { mark });
    await partitions.setUnderConstruction(disk, partitionGuid, false);
  },
};

function placeOf(disk: string, { devPath, offset }: Place) {
  return devPath === '' ? { path: disk, offset: Number(offset) } : { path: devPath, offset: 0 };
}

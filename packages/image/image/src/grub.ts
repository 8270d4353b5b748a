import {
  biosPartitionSizeBytes,
  bootCode,
  diskCore,
  efiPartitionSizeBytes,
  type EspFile,
  type GrubPrograms,
} from '@nodecore/boot';
import { View } from '@nodecore/view';

import { ImageError } from './errors.ts';
import { fat32 } from './fat/fat32.ts';
import { type Partition, partitionsEnd, partitionType, type SectorSize } from './gpt/gpt.ts';

/** What a disk has so that a BIOS starts it. */
export type GrubDisk = {
  /** Of the partition BOOT; see `grubFiles` of `@nodecore/boot`. */
  readonly files: readonly EspFile[];
  readonly programs: GrubPrograms;
};

type Place = {
  readonly recipe: string;
  readonly sectorSize: SectorSize;
  /** Partitions in front of these. */
  readonly front: readonly Partition[];
};

/**
 * The partitions BIOS and BOOT.
 *
 * @throws {ImageError} `ERR_IMAGE_SECTOR`: no BIOS starts a disk with sectors of 4096 bytes.
 */
export function grubPartitions(
  { files, programs }: GrubDisk,
  { recipe, sectorSize, front }: Place,
): { readonly partitions: readonly Partition[]; readonly bootCode: Uint8Array } {
  if (sectorSize !== 512)
    throw new ImageError('ERR_IMAGE_SECTOR', `a BIOS starts no disk with sectors of ${sectorSize} bytes`);
  const offset = partitionsEnd({ recipe, sectorSize, partitions: front });
  const sizeBytes = efiPartitionSizeBytes(Math.max(0, ...files.map(({ content }) => content.size)));
  const bios = View.of(diskCore(programs, offset));
  return {
    bootCode: bootCode(programs, offset),
    partitions: [
      { label: 'BIOS', type: partitionType.bios, content: bios, sizeBytes: biosPartitionSizeBytes },
      {
        label: 'BOOT',
        type: partitionType.linux,
        content: fat32({ recipe, sizeBytes, sectorSize, label: 'BOOT', files }),
      },
    ],
  };
}

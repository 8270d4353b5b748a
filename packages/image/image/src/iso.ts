import { bootCode, type EspOptions, espFiles, mediumCore, mediumCoreOffset } from '@nodecore/boot';
import { View } from '@nodecore/view';

import { fat32 } from './fat/fat32.ts';
import { gpt, partitionType } from './gpt/gpt.ts';
import type { GrubDisk } from './grub.ts';
import { isoFront, isoFrontOffset, isoSectorSizeBytes } from './iso/iso9660.ts';

export type IsoOptions = {
  /** What the image is made of, one text for one content: all identifiers follow from it. */
  readonly recipe: string;
  /** `v1.14.0`, for the volume identifier `OS_V1_14_0`. */
  readonly version: string;
  readonly esp: Omit<EspOptions, 'isReadOnly'>;
  /** For machines with a BIOS as well: `grubMediumFiles` of `@nodecore/boot`, and GRUB itself. */
  readonly grub?: GrubDisk;
};

const mib = 1 << 20;
/** Behind the volume descriptors, and in front of the partition. */
const coreOffset = 64 * 1024;

/**
 * A medium to start from, as a CD and as a disk: one EFI system partition that a partition table and a boot catalog
 * both point to. With GRUB a BIOS starts the same image from it; otherwise it is for UEFI only.
 *
 * @throws {ImageError} `ERR_IMAGE_TOO_LARGE`, `ERR_IMAGE_NAME`.
 */
export function iso({ recipe, version, esp, grub }: IsoOptions): View {
  const files = [...espFiles({ ...esp, isReadOnly: true }), ...(grub?.files ?? [])];
  const contents = files.reduce((sum, { content }) => sum + content.size, 0);
  // 2 % for the tables and for the ends of clusters; never less than a FAT32 has.
  const espSize = Math.max(40, Math.ceil((contents * 1.02) / mib) + 2) * mib;
  // GRUB looks for this label, on the medium that was started first.
  const label = grub === undefined ? 'ESP' : 'BOOT';
  const partition = fat32({ recipe, sizeBytes: espSize, label, files });
  const size = espSize + 2 * mib;
  const volumeId = `OS_${version.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`.slice(0, 32);
  const descriptors = isoFront({
    volumeId,
    sizeBytes: size,
    bootOffset: mib,
    ...(grub && { biosOffset: coreOffset }),
  });
  const core = grub && mediumCore(grub.programs, coreOffset);
  const gap = coreOffset - isoFrontOffset - descriptors.size;
  return gpt({
    recipe,
    sizeBytes: Math.ceil(size / isoSectorSizeBytes) * isoSectorSizeBytes,
    front: {
      offset: isoFrontOffset,
      content: core === undefined ? descriptors : View.of(descriptors, { kind: 'hole', size: gap }, core),
    },
    ...(grub && { bootCode: bootCode(grub.programs, mediumCoreOffset(coreOffset)) }),
    partitions: [{ label: 'EFI', type: partitionType.efi, content: partition }],
  });
}

import { efiPartitionSizeBytes, type EspOptions, espFiles } from '@nodecore/boot';
import { encodeMeta, metaSizeBytes, type MetaValues } from '@nodecore/meta';
import { View } from '@nodecore/view';

import { fat32 } from './fat/fat32.ts';
import { gpt, type Partition, partitionType, type SectorSize } from './gpt/gpt.ts';
import { type GrubDisk, grubPartitions } from './grub.ts';

export type DiskImageOptions = {
  /** What the image is made of, one text for one content: all identifiers follow from it. */
  readonly recipe: string;
  /** For machines with UEFI. */
  readonly esp?: Omit<EspOptions, 'isReadOnly'>;
  /** For machines with a BIOS; beside `esp` for both. */
  readonly grub?: GrubDisk;
  /** Values for META, by tag; none by default, which is a blank partition. */
  readonly meta?: MetaValues;
  /** 512 by default. */
  readonly sectorSize?: SectorSize;
  /** Of the whole disk; by default what is needed. The node takes the rest of a larger disk for itself. */
  readonly sizeBytes?: number;
};

/**
 * A disk that a node starts from: the partitions EFI, or BIOS and BOOT, or all three, and META. What else a node needs it
 * makes at its first start.
 *
 * Takes no longer for a large UKI than for a small one, and opens no file: what it gives are ranges of the inputs.
 *
 * @example
 * ```ts
 * const image = diskImage({
 *   recipe: 'schematic 376567988ad3…, v1.14.0, amd64',
 *   esp: { systemdBoot, entries: [{ imageVersion: '1.14.0', sequence: 1, uki }] },
 * });
 * await image.writeTo('metal-amd64.raw');
 * ```
 *
 * @throws {ImageError} `ERR_IMAGE_TOO_SMALL`, `ERR_IMAGE_TOO_LARGE`, `ERR_IMAGE_SECTOR`.
 */
export function diskImage(options: DiskImageOptions): View {
  const { recipe, esp, grub, meta = new Map(), sectorSize = 512, sizeBytes } = options;
  const front = esp === undefined ? [] : [efiPartition(esp, { recipe, sectorSize })];
  const bios = grub && grubPartitions(grub, { recipe, sectorSize, front });
  return gpt({
    recipe,
    sectorSize,
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(bios && { bootCode: bios.bootCode }),
    partitions: [
      ...front,
      ...(bios?.partitions ?? []),
      { label: 'META', type: partitionType.linux, content: metaPartition(meta) },
    ],
  });
}

function efiPartition(
  esp: Omit<EspOptions, 'isReadOnly'>,
  { recipe, sectorSize }: { readonly recipe: string; readonly sectorSize: SectorSize },
): Partition {
  const largest = Math.max(0, ...esp.entries.map(({ uki }) => uki.size));
  const sizeBytes = efiPartitionSizeBytes(largest);
  const content = fat32({ recipe, sizeBytes, sectorSize, label: 'EFI', files: espFiles(esp) });
  return { label: 'EFI', type: partitionType.efi, content };
}

function metaPartition(values: MetaValues): View {
  let view = View.of();
  for (const { offset, bytes } of encodeMeta(values)) {
    view = View.of(view, { kind: 'hole', size: offset - view.size }, bytes);
  }
  return View.of(view, { kind: 'hole', size: metaSizeBytes - view.size });
}

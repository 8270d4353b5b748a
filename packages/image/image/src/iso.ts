import { type EspOptions, espFiles } from '@nodecore/boot';
import { View } from '@nodecore/view';

import { fat32 } from './fat/fat32.ts';
import { gpt, partitionType } from './gpt/gpt.ts';
import { isoFront, isoFrontOffset, isoSectorSizeBytes } from './iso/iso9660.ts';

export type IsoOptions = {
  /** What the image is made of, one text for one content: all identifiers follow from it. */
  readonly recipe: string;
  /** `v1.14.0`, for the volume identifier `OS_V1_14_0`. */
  readonly version: string;
  readonly esp: Omit<EspOptions, 'isReadOnly'>;
};

const mib = 1 << 20;

/**
 * A medium to start from, as a CD and as a disk: one EFI system partition that a partition table and a boot catalog
 * both point to. UEFI only.
 *
 * @throws {ImageError} `ERR_IMAGE_TOO_LARGE`, `ERR_IMAGE_NAME`.
 */
export function iso({ recipe, version, esp }: IsoOptions): View {
  const files = espFiles({ ...esp, isReadOnly: true });
  const contents = files.reduce((sum, { content }) => sum + content.size, 0);
  // 2 % for the tables and for the ends of clusters; never less than a FAT32 has.
  const espSize = Math.max(40, Math.ceil((contents * 1.02) / mib) + 2) * mib;
  const partition = fat32({ recipe, sizeBytes: espSize, label: 'ESP', files });
  const size = espSize + 2 * mib;
  const volumeId = `OS_${version.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`.slice(0, 32);
  return gpt({
    recipe,
    sizeBytes: Math.ceil(size / isoSectorSizeBytes) * isoSectorSizeBytes,
    front: { offset: isoFrontOffset, content: isoFront({ volumeId, sizeBytes: size, bootOffset: mib }) },
    partitions: [{ label: 'EFI', type: partitionType.efi, content: partition }],
  });
}

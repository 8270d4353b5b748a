import { ImageError } from '../errors.ts';
import type { SectorSize } from '../gpt/gpt.ts';

/** Where things are in a FAT32; everything that the boot sector says follows from it. */
export type FatLayout = {
  readonly sectorSize: SectorSize;
  readonly sectors: number;
  readonly sectorsPerCluster: number;
  readonly reservedSectors: number;
  readonly sectorsPerFat: number;
  /** The first one has the number 2. */
  readonly clusters: number;
};

/** With fewer, the file system would be read as a FAT16, whatever else it says. */
const minClusters = 65_525;
const maxClusters = 0x0ffffff5;
const largestClusterSize = 4096;

/**
 * The layout for a partition of this size: clusters of 4 KiB, smaller ones in a small partition.
 *
 * @throws {ImageError} `ERR_IMAGE_TOO_SMALL` under about 34 MiB (with sectors of 4096 bytes, 257 MiB); `ERR_IMAGE_TOO_LARGE`.
 */
export function fatLayout(sizeBytes: number, sectorSize: SectorSize): FatLayout {
  const sectors = Math.floor(sizeBytes / sectorSize);
  for (let cluster = largestClusterSize; cluster >= sectorSize; cluster /= 2) {
    const layout = withCluster(sectors, sectorSize, cluster / sectorSize);
    if (layout.clusters > maxClusters || sectors > 0xffffffff) {
      throw new ImageError('ERR_IMAGE_TOO_LARGE', `${sizeBytes} bytes are too many for a FAT32`);
    }
    // Some readers are off by a few about the limit; mkfs.vfat keeps the same distance.
    if (layout.clusters >= minClusters + 16) return layout;
  }
  throw new ImageError('ERR_IMAGE_TOO_SMALL', `${sizeBytes} bytes are too few for a FAT32`);
}

function withCluster(sectors: number, sectorSize: SectorSize, sectorsPerCluster: number): FatLayout {
  const entriesPerSector = sectorSize / 4;
  let sectorsPerFat = 1;
  let reservedSectors = 32;
  let clusters = 0;
  for (;;) {
    // Data begins at a whole cluster, so that clusters of 4 KiB are pages of the disk.
    reservedSectors =
      32 + ((sectorsPerCluster - ((32 + 2 * sectorsPerFat) % sectorsPerCluster)) % sectorsPerCluster);
    clusters = Math.floor((sectors - reservedSectors - 2 * sectorsPerFat) / sectorsPerCluster);
    const needed = Math.ceil((clusters + 2) / entriesPerSector);
    if (needed <= sectorsPerFat) break;
    sectorsPerFat = needed;
  }
  return { sectorSize, sectors, sectorsPerCluster, reservedSectors, sectorsPerFat, clusters };
}

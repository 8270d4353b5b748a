import type { FatLayout } from './layout.ts';

/** Everything in front of the first FAT: boot sector and free counts, and their copies from sector 6 on. */
export function reservedArea(
  layout: FatLayout,
  { label, serial, usedClusters }: { label: string; serial: number; usedClusters: number },
): Buffer {
  const { sectorSize } = layout;
  const area = Buffer.alloc(layout.reservedSectors * sectorSize);
  for (const copy of [0, 6]) {
    bootSector(layout, label, serial).copy(area, copy * sectorSize);
    freeCounts(layout, usedClusters).copy(area, (copy + 1) * sectorSize);
    // A third sector of boot code that only has its signature.
    area.writeUInt16LE(0xaa55, (copy + 2) * sectorSize + 510);
  }
  return area;
}

function bootSector(layout: FatLayout, label: string, serial: number): Buffer {
  const sector = Buffer.alloc(512);
  Buffer.from([0xeb, 0x58, 0x90]).copy(sector); // a jump to nowhere: readers look for it
  sector.write('NODEOS  ', 3, 'latin1');
  sector.writeUInt16LE(layout.sectorSize, 11);
  sector.writeUInt8(layout.sectorsPerCluster, 13);
  sector.writeUInt16LE(layout.reservedSectors, 14);
  sector.writeUInt8(2, 16); // FATs
  sector.writeUInt8(0xf8, 21); // a fixed disk
  sector.writeUInt16LE(32, 24); // a geometry, which nobody uses
  sector.writeUInt16LE(64, 26);
  sector.writeUInt32LE(layout.sectors, 32);
  sector.writeUInt32LE(layout.sectorsPerFat, 36);
  sector.writeUInt32LE(2, 44); // the root's first cluster
  sector.writeUInt16LE(1, 48); // free counts
  sector.writeUInt16LE(6, 50); // the copy
  sector.writeUInt8(0x80, 64);
  sector.writeUInt8(0x29, 66); // the next three fields are there
  sector.writeUInt32LE(serial, 67);
  sector.write(label.padEnd(11), 71, 'latin1');
  sector.write('FAT32   ', 82, 'latin1');
  sector.writeUInt16LE(0xaa55, 510);
  return sector;
}

function freeCounts(layout: FatLayout, usedClusters: number): Buffer {
  const sector = Buffer.alloc(512);
  sector.write('RRaA', 0, 'latin1');
  sector.write('rrAa', 484, 'latin1');
  sector.writeUInt32LE(layout.clusters - usedClusters, 488);
  sector.writeUInt32LE(2 + usedClusters - 1, 492); // the last one that was given away
  sector.writeUInt16LE(0xaa55, 510);
  return sector;
}

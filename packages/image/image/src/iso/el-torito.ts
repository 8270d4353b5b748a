const sectorSizeBytes = 2048;
const platformEfi = 0xef;

/** The descriptor that names the boot catalog. */
export function bootRecord(catalogSector: number): Buffer {
  const sector = Buffer.alloc(sectorSizeBytes);
  sector.write('CD001\x01EL TORITO SPECIFICATION', 1, 'latin1');
  sector.writeUInt32LE(catalogSector, 71);
  return sector;
}

/** A catalog with one entry: an EFI system partition. */
export function bootCatalog(imageSector: number): Buffer {
  const sector = Buffer.alloc(sectorSizeBytes);
  sector.writeUInt8(1, 0);
  sector.writeUInt8(platformEfi, 1);
  sector.writeUInt16LE(0xaa55, 30);
  let sum = 0;
  for (let offset = 0; offset < 32; offset += 2) sum += sector.readUInt16LE(offset);
  sector.writeUInt16LE(-sum & 0xffff, 28);
  sector.writeUInt8(0x88, 32); // bootable, and no floppy is imitated
  // UEFI 13.3.2.1: a count of 0 is everything up to the end of the medium; the field ends at 32 MiB.
  sector.writeUInt16LE(0, 38);
  sector.writeUInt32LE(imageSector, 40);
  return sector;
}

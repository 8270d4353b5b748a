const sectorSizeBytes = 2048;
const platformBios = 0;
const platformEfi = 0xef;
/** Of 512 bytes: the first 2048 are a loader for the rest. */
const biosSectors = 4;

/** The descriptor that names the boot catalog. */
export function bootRecord(catalogSector: number): Buffer {
  const sector = Buffer.alloc(sectorSizeBytes);
  sector.write('CD001\x01EL TORITO SPECIFICATION', 1, 'latin1');
  sector.writeUInt32LE(catalogSector, 71);
  return sector;
}

/** Sectors where images begin. */
type CatalogImages = { readonly efi: number; readonly bios?: number };

/**
 * A catalog with an EFI system partition, and where there is one, in front of it what a BIOS loads: old firmware takes the
 * first entry and looks no further.
 */
export function bootCatalog({ efi, bios }: CatalogImages): Buffer {
  const sector = Buffer.alloc(sectorSizeBytes);
  sector.writeUInt8(1, 0);
  sector.writeUInt8(bios === undefined ? platformEfi : platformBios, 1);
  sector.writeUInt16LE(0xaa55, 30);
  let sum = 0;
  for (let offset = 0; offset < 32; offset += 2) sum += sector.readUInt16LE(offset);
  sector.writeUInt16LE(-sum & 0xffff, 28);
  // UEFI 13.3.2.1: a count of 0 is everything up to the end of the medium; the field ends at 32 MiB.
  const efiEntry = bootEntry(efi, 0);
  if (bios === undefined) efiEntry.copy(sector, 32);
  else {
    bootEntry(bios, biosSectors).copy(sector, 32);
    // The last header of a section, with one entry.
    sector.writeUInt8(0x91, 64);
    sector.writeUInt8(platformEfi, 65);
    sector.writeUInt16LE(1, 66);
    efiEntry.copy(sector, 96);
  }
  return sector;
}

/** Bootable, and no floppy is imitated. */
function bootEntry(imageSector: number, count: number): Buffer {
  const entry = Buffer.alloc(32);
  entry.writeUInt8(0x88, 0);
  entry.writeUInt16LE(count, 6);
  entry.writeUInt32LE(imageSector, 8);
  return entry;
}

import { View } from '@nodecore/view';

import { ImageError } from '../errors.ts';
import { bootCatalog, bootRecord } from './el-torito.ts';

/** All of ISO 9660 counts in these. */
export const isoSectorSizeBytes = 2048;
/** Where the volume descriptors begin; in front of them is room for a partition table. */
export const isoFrontOffset: number = 16 * isoSectorSizeBytes;

const sectors = { primary: 16, boot: 17, end: 18, pathTable: 19, pathTableBig: 20, root: 21, catalog: 22 };

/**
 * The descriptors of an ISO 9660 file system that is empty and says which part of the medium a UEFI firmware starts
 * from. They lie at `isoFrontOffset`.
 *
 * @throws {ImageError} `ERR_IMAGE_NAME`.
 */
export function isoFront(options: {
  volumeId: string;
  sizeBytes: number;
  bootOffset: number;
  /** Where a BIOS finds what it loads; it starts nothing without. */
  biosOffset?: number;
}): View {
  const { volumeId, sizeBytes, bootOffset, biosOffset } = options;
  if (!/^[A-Z0-9_]{1,32}$/.test(volumeId)) {
    throw new ImageError('ERR_IMAGE_NAME', `${volumeId} is no identifier of a volume`);
  }
  const size = Math.ceil(sizeBytes / isoSectorSizeBytes);
  const parts = [
    primaryDescriptor(volumeId, size),
    bootRecord(sectors.catalog),
    endDescriptor(),
    pathTable(false),
    pathTable(true),
    rootDirectory(),
    bootCatalog({
      efi: bootOffset / isoSectorSizeBytes,
      ...(biosOffset !== undefined && { bios: biosOffset / isoSectorSizeBytes }),
    }),
  ];
  return View.of(Buffer.concat(parts));
}

function primaryDescriptor(volumeId: string, size: number): Buffer {
  const sector = Buffer.alloc(isoSectorSizeBytes);
  sector.writeUInt8(1, 0);
  sector.write('CD001\x01', 1, 'latin1');
  sector.fill(' ', 8, 72); // system and volume identifier
  sector.write(volumeId, 40, 'latin1');
  bothOrders32(sector, size, 80);
  bothOrders16(sector, 1, 120); // volumes in the set
  bothOrders16(sector, 1, 124); // which of them
  bothOrders16(sector, isoSectorSizeBytes, 128);
  bothOrders32(sector, pathTableSizeBytes, 132);
  sector.writeUInt32LE(sectors.pathTable, 140);
  sector.writeUInt32BE(sectors.pathTableBig, 148);
  directoryRecord(0).copy(sector, 156);
  sector.fill(' ', 190, 813); // who made it, and with what
  for (const offset of [813, 830, 847, 864]) sector.write('0'.repeat(16), offset, 'latin1'); // no date
  sector.writeUInt8(1, 881);
  return sector;
}

function endDescriptor(): Buffer {
  const sector = Buffer.alloc(isoSectorSizeBytes);
  sector.writeUInt8(255, 0);
  sector.write('CD001\x01', 1, 'latin1');
  return sector;
}

const pathTableSizeBytes = 10;

/** Only the root is in it. */
function pathTable(isBigEndian: boolean): Buffer {
  const sector = Buffer.alloc(isoSectorSizeBytes);
  sector.writeUInt8(1, 0);
  if (isBigEndian) sector.writeUInt32BE(sectors.root, 2);
  else sector.writeUInt32LE(sectors.root, 2);
  if (isBigEndian) sector.writeUInt16BE(1, 6);
  else sector.writeUInt16LE(1, 6);
  return sector;
}

function rootDirectory(): Buffer {
  const sector = Buffer.alloc(isoSectorSizeBytes);
  directoryRecord(0).copy(sector, 0);
  directoryRecord(1).copy(sector, 34);
  return sector;
}

/** The root as itself (0) or as its own parent (1). */
function directoryRecord(name: 0 | 1): Buffer {
  const record = Buffer.alloc(34);
  record.writeUInt8(34, 0);
  bothOrders32(record, sectors.root, 2);
  bothOrders32(record, isoSectorSizeBytes, 10);
  Buffer.from([80, 1, 1, 0, 0, 0, 0]).copy(record, 18); // 1980-01-01
  record.writeUInt8(2, 25);
  bothOrders16(record, 1, 28);
  record.writeUInt8(1, 32);
  record.writeUInt8(name, 33);
  return record;
}

function bothOrders16(target: Buffer, value: number, offset: number): void {
  target.writeUInt16LE(value, offset);
  target.writeUInt16BE(value, offset + 2);
}

function bothOrders32(target: Buffer, value: number, offset: number): void {
  target.writeUInt32LE(value, offset);
  target.writeUInt32BE(value, offset + 4);
}

import { View } from '@nodecore/view';

import { ImageError } from '../errors.ts';
import { derivedUuid } from '../identifiers.ts';

const sectorSizeBytes = 512;
const fixed = 2;
/** What its specification has at most, 2040 GiB. */
const largestSizeBytes = 2040 * 2 ** 30;

/**
 * A disk as a VHD of fixed size: the disk with a footer behind it. Its size is that of the disk, to the byte, and not the next one
 * that has a geometry.
 *
 * @param recipe what the image is made of; its identifier follows from it.
 * @throws {ImageError} `ERR_IMAGE_SECTOR`, `ERR_IMAGE_TOO_LARGE`.
 */
export function vhd(disk: View, { recipe }: { readonly recipe: string }): View {
  if (disk.size % sectorSizeBytes !== 0)
    throw new ImageError('ERR_IMAGE_SECTOR', `${disk.size} bytes are no sectors of ${sectorSizeBytes}`);
  if (disk.size > largestSizeBytes)
    throw new ImageError('ERR_IMAGE_TOO_LARGE', `${disk.size} bytes: a VHD ends at ${largestSizeBytes}`);
  return View.of(disk, footerOf(disk.size, derivedUuid(recipe, 'vhd')));
}

function footerOf(size: number, uuid: string): Buffer {
  const footer = Buffer.alloc(512);
  const { cylinders, heads, sectors } = geometryOf(size / sectorSizeBytes);
  footer.write('conectix', 0, 'latin1');
  footer.writeUInt32BE(2, 8); // a bit that is always set
  footer.writeUInt32BE(0x00010000, 12);
  footer.fill(0xff, 16, 24); // nothing follows
  // 24: seconds since 2000; the same image is the same bytes at any time.
  footer.write('qem2', 28, 'latin1'); // QEMU takes the size from the geometry, unless this is one of a few that it knows
  footer.writeUInt32BE(0x00010000, 32);
  footer.write('Wi2k', 36, 'latin1');
  footer.writeBigUInt64BE(BigInt(size), 40);
  footer.writeBigUInt64BE(BigInt(size), 48);
  footer.writeUInt16BE(cylinders, 56);
  footer.writeUInt8(heads, 58);
  footer.writeUInt8(sectors, 59);
  footer.writeUInt32BE(fixed, 60);
  Buffer.from(uuid.replaceAll('-', ''), 'hex').copy(footer, 68);
  // One's complement of the sum, with this field as zeros.
  const sum = footer.reduce((total, byte) => total + byte, 0);
  footer.writeUInt32BE(~sum >>> 0, 64);
  return footer;
}

type Geometry = { readonly cylinders: number; readonly heads: number; readonly sectors: number };

/** As the appendix of the specification computes it; for old programs, since it names at most 127 GiB and rarely the exact size. */
function geometryOf(all: number): Geometry {
  const total = Math.min(all, 65_535 * 16 * 255);
  const with255 = { heads: 16, sectors: 255 };
  if (total >= 65_535 * 16 * 63) return { ...with255, cylinders: Math.floor(total / (16 * 255)) };
  let tracks = Math.floor(total / 17);
  let found = { heads: Math.max(4, Math.floor((tracks + 1023) / 1024)), sectors: 17 };
  for (const sectors of [31, 63]) {
    if (tracks < found.heads * 1024 && found.heads <= 16) break;
    found = { heads: 16, sectors };
    tracks = Math.floor(total / sectors);
  }
  return { ...found, cylinders: Math.floor(tracks / found.heads) };
}

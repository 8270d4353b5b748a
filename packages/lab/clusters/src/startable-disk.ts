import { type FileHandle, open } from 'node:fs/promises';

import { partitionType } from '@nodecore/image';
import { codeOf } from '@nodecore/sys';

import { hasFile } from './fat-file.ts';

/** What firmware looks for on a disk of which it knows nothing else. */
const loaderPath = ['EFI', 'BOOT', 'BOOTX64.EFI'] as const;
const headerMark = 'EFI PART';
/** Of the entries of a table, which has 128 where nobody wanted more. */
const largestTableBytes = 1 << 20;

/**
 * Whether firmware can start what is on a disk: UEFI a loader in a partition for it, a BIOS boot code and the partition that it
 * loads. What is half installed is not: a disk is left alone until it is proven. A disk that is not there can't be started.
 *
 * @param path of the raw file
 */
export async function isStartable(
  path: string,
  { sectorSize = 512, uefi }: { readonly sectorSize?: number | undefined; readonly uefi: boolean },
): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  try {
    const partitions = await partitionsOf(file, sectorSize);
    if (!uefi) return partitions.some(({ type }) => type === partitionType.bios) && (await hasBootCode(file));
    for (const { type, offset } of partitions)
      if (type === partitionType.efi && (await hasFile(file, offset, loaderPath))) return true;
    return false;
  } finally {
    await file.close();
  }
}

async function partitionsOf(
  file: FileHandle,
  sectorSize: number,
): Promise<readonly { readonly type: string; readonly offset: number }[]> {
  const header = await bytesAt(file, sectorSize, 92);
  if (header.length < 92 || header.toString('latin1', 0, 8) !== headerMark) return [];
  const [count, size] = [header.readUInt32LE(80), header.readUInt32LE(84)];
  if (size < 128 || count * size > largestTableBytes) return [];
  const table = await bytesAt(file, Number(header.readBigUInt64LE(72)) * sectorSize, count * size);
  const { size: end } = await file.stat();
  const all = Array.from({ length: Math.floor(table.length / size) }, (_, at) => {
    const entry = table.subarray(at * size, at * size + 128);
    return { type: guidOf(entry.subarray(0, 16)), offset: Number(entry.readBigUInt64LE(32)) * sectorSize };
  });
  // A machine writes its disk as it likes.
  return all.filter(({ offset }) => offset < end);
}

/** Its first three parts are little-endian. */
function guidOf(bytes: Buffer): string {
  const hex = (from: number, to: number): string => bytes.toString('hex', from, to);
  const turned = (from: number, to: number): string =>
    Buffer.from(bytes.subarray(from, to).toReversed()).toString('hex');
  return [turned(0, 4), turned(4, 6), turned(6, 8), hex(8, 10), hex(10, 16)].join('-');
}

async function hasBootCode(file: FileHandle): Promise<boolean> {
  const sector = await bytesAt(file, 0, 512);
  return (
    sector.length === 512 && sector.readUInt16LE(510) === 0xaa55 && sector.subarray(0, 440).some(Boolean)
  );
}

/** Fewer at the end of the file, and none behind it. */
async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (!Number.isSafeInteger(position)) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

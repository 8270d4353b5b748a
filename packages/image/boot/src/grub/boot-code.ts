import { BootError } from '../errors.ts';

/** GRUB as a release carries it: for the first sector of a disk, and the program that it loads. */
export type GrubPrograms = {
  /** GRUB's `boot.img`. */
  readonly boot: Uint8Array;
  /** GRUB's core image in the form for a CD: a loader of four sectors in front of that for a disk. */
  readonly core: Uint8Array;
};

/** As much of the first sector of a disk is code; behind it are its serial number and the old table of partitions. */
export const bootCodeBytes = 440;
const sectorSizeBytes = 512;
/** The loader of a CD, in front of the core image. */
const cdLoaderBytes = 2048;

/** `boot.S` and `diskboot.S` of GRUB. */
const at = {
  kernelSector: 0x5c,
  bootDrive: 0x64,
  driveCheck: 0x66,
  blockList: 0x1f4,
  bootInformation: 8,
} as const;
/** The drive that the BIOS has started. */
const anyDrive = 0xff;
/** The jump over the repair of what some firmware gets wrong: a number of a drive that is no hard disk. */
const noOperations = 0x9090;
/** The core image lies on the disk in one piece. */
const mostCoreBytes = 512 * 1024;

/** The partition for GRUB's core image. */
export const biosPartitionSizeBytes: number = 1 << 20;

/**
 * The code of the first sector of a disk.
 *
 * @param coreOffset where the core image lies, in bytes from the beginning of the disk.
 * @throws {BootError} `ERR_BOOT_GRUB` when it is another program.
 */
export function bootCode({ boot }: Pick<GrubPrograms, 'boot'>, coreOffset: number): Buffer {
  const sector = Buffer.from(boot);
  const isBoot = sector.length === sectorSizeBytes && sector.readUInt16LE(0x1fe) === 0xaa55;
  if (!isBoot || sector.readUInt8(at.bootDrive) !== anyDrive)
    throw new BootError('ERR_BOOT_GRUB', 'grub-boot.img is no boot sector of GRUB');
  sector.writeBigUInt64LE(sectorOf(coreOffset), at.kernelSector);
  sector.writeUInt16LE(noOperations, at.driveCheck);
  return sector.subarray(0, bootCodeBytes);
}

/**
 * The core image as it lies on a disk.
 *
 * @param offset where, in bytes from the beginning of the disk.
 * @throws {BootError} `ERR_BOOT_GRUB` when it is another program.
 */
export function diskCore({ core }: Pick<GrubPrograms, 'core'>, offset: number): Buffer {
  const bytes = coreBytes(core).subarray(cdLoaderBytes);
  bytes.writeBigUInt64LE(sectorOf(offset) + 1n, at.blockList);
  return bytes;
}

/**
 * The core image as it lies on a medium that is a CD and a disk: the firmware loads its first 2048 bytes from a CD, and the
 * code of the first sector what is behind them.
 *
 * @param offset where, in bytes from the beginning; a multiple of 2048.
 * @throws {BootError} `ERR_BOOT_GRUB` when it is another program.
 */
export function mediumCore({ core }: Pick<GrubPrograms, 'core'>, offset: number): Buffer {
  const bytes = coreBytes(core);
  bytes.writeBigUInt64LE(sectorOf(offset + cdLoaderBytes) + 1n, cdLoaderBytes + at.blockList);
  // The boot information table: where the volume descriptors and this file are, in sectors of a CD, its size and its sum.
  const information = [16, offset / cdLoaderBytes, bytes.length, checksum(bytes)];
  for (const [index, value] of information.entries())
    bytes.writeUInt32LE(value, at.bootInformation + 4 * index);
  return bytes;
}

/** What the code of the first sector loads of {@link mediumCore}. */
export function mediumCoreOffset(offset: number): number {
  return offset + cdLoaderBytes;
}

function coreBytes(core: Uint8Array): Buffer {
  const size = core.length;
  if (size <= cdLoaderBytes + sectorSizeBytes || size > mostCoreBytes) throw noCore();
  const bytes = Buffer.from(core);
  const sectors = Math.ceil((size - cdLoaderBytes) / sectorSizeBytes);
  // The list of a core image has one piece: all but its first sector.
  if (bytes.readUInt16LE(cdLoaderBytes + at.blockList + 8) !== sectors - 1) throw noCore();
  return bytes;
}

function noCore(): BootError {
  return new BootError('ERR_BOOT_GRUB', 'grub-core.img is no core image of GRUB for a CD');
}

function sectorOf(offset: number): bigint {
  if (offset % sectorSizeBytes === 0) return BigInt(offset / sectorSizeBytes);
  throw new BootError('ERR_BOOT_GRUB', `byte ${offset} of a disk is inside a sector`);
}

/** Of everything behind the table's 64 bytes. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let offset = 64; offset + 4 <= bytes.length; offset += 4)
    sum = (sum + bytes.readUInt32LE(offset)) >>> 0;
  return sum;
}

import { open, readFile, stat } from 'node:fs/promises';

import { codeOf, isSameFile } from '@nodecore/sys';

import { LuksError } from './errors.ts';

/** What must be known of a device or file before it is formatted. */
export type DeviceFacts = {
  readonly kind: 'block' | 'file';
  readonly sizeBytes: bigint;
  readonly logicalSectorSize: number;
};

/** Reads the facts from stat(2) and sysfs. Throws `ERR_LUKS_NOT_FOUND` when there is no such device or file. */
export async function deviceFacts(device: string): Promise<DeviceFacts> {
  const status = await found(device, 'stat', stat(device, { bigint: true }));
  if (status.isFile()) return { kind: 'file', sizeBytes: status.size, logicalSectorSize: 512 };
  if (!status.isBlockDevice()) {
    throw new LuksError('ERR_LUKS_NOT_FOUND', device, 'ENOTBLK', `${device}: neither block device nor file`);
  }
  const directory = `/sys/dev/block/${majorMinor(status.rdev)}`;
  const sectors = BigInt(await text(`${directory}/size`)); // sysfs counts 512-byte sectors, whatever the disk has
  return { kind: 'block', sizeBytes: sectors * 512n, logicalSectorSize: await logicalSectorSize(directory) };
}

/** True when both paths lead to the same block device, or to the same file. */
export async function isSameDevice(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  );
  if (a === undefined || b === undefined) return false;
  if (a.isBlockDevice() || b.isBlockDevice())
    return a.isBlockDevice() && b.isBlockDevice() && a.rdev === b.rdev;
  return isSameFile(a, b);
}

/** A partition has no queue of its own; its disk is one level up. */
async function logicalSectorSize(directory: string): Promise<number> {
  try {
    return Number(await text(`${directory}/queue/logical_block_size`));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return Number(await text(`${directory}/../queue/logical_block_size`));
  }
}

/** makedev(3): how Linux packs the two numbers into dev_t. */
function majorMinor(rdev: bigint): string {
  const major = ((rdev >> 8n) & 0xfffn) | ((rdev >> 32n) & ~0xfffn);
  const minor = (rdev & 0xffn) | ((rdev >> 12n) & ~0xffn);
  return `${major}:${minor}`;
}

async function text(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}

/** Reads bytes of a device; fewer than asked for when it ends before. */
export async function readAt(device: string, position: number, sizeBytes: number): Promise<Buffer> {
  await using file = await found(device, 'open', open(device, 'r'));
  const buffer = Buffer.alloc(sizeBytes);
  const { bytesRead } = await file.read(buffer, 0, sizeBytes, position);
  return buffer.subarray(0, bytesRead);
}

/** Overwrites bytes of a device with zeros, durably. */
export async function zero(device: string, position: number, sizeBytes: number): Promise<void> {
  await using file = await open(device, 'r+');
  await file.write(Buffer.alloc(sizeBytes), 0, sizeBytes, position);
  await file.sync();
}

/** Waits for a system call; what fails becomes an error that says on which device. */
export async function found<T>(device: string, call: string, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    const errno = codeOf(error) ?? '';
    const code = errno === 'ENOENT' || errno === 'ENXIO' ? 'ERR_LUKS_NOT_FOUND' : 'ERR_LUKS_FAILED';
    throw new LuksError(code, device, errno, `${call} on ${device}: ${errno}`, { cause: error });
  }
}

import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat, truncate } from 'node:fs/promises';
import { promisify } from 'node:util';

import { ClusterError } from './errors.ts';
import { isPacked, plainImage, writeSparse } from './sparse-image.ts';

/** A disk as it is made. */
export type DiskShape = {
  readonly sizeBytes: number;
  /** Default 512. */
  readonly sectorSize?: 512 | 4096;
};

const tableMark = 'EFI PART';

/** Copies an image whole or not at all, with holes where it is blank. @throws {ClusterError} `ERR_CLUSTER_IMAGE` */
export async function copyImage(image: string, path: string): Promise<void> {
  await sizeOf(image);
  const part = `${path}.part`;
  await copySparse(image, part);
  await syncFile(part);
  await rename(part, path);
}

/**
 * Makes a disk that begins with an image, raw or packed by zstd, with holes where it is blank.
 *
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE` when the image is larger than the disk, of other sectors, or not there.
 */
export async function copyDiskImage(
  image: string,
  disk: string,
  { sizeBytes, sectorSize = 512 }: DiskShape,
): Promise<void> {
  const size = await sizeOf(image);
  const part = `${disk}.part`;
  try {
    if (isPacked(await bytesAt(image, 0, 4))) {
      await using file = await open(part, 'w', 0o600);
      await writeSparse(file, plainImage(createReadStream(image)), sizeBytes);
    } else if (size > sizeBytes) {
      const words = `the image has ${size} bytes, the disk ${sizeBytes}: give --disks a larger first one`;
      throw new ClusterError('ERR_CLUSTER_IMAGE', words);
    } else await copySparse(image, part);
    const problem = await sectorProblem(part, sectorSize);
    if (problem !== undefined) throw new ClusterError('ERR_CLUSTER_IMAGE', problem);
    await truncate(part, sizeBytes);
    await syncFile(part);
    await rename(part, disk);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** What keeps a raw image from a disk with such sectors, in words: on another one nothing finds its partitions. */
export async function sectorProblem(
  image: string,
  sectorSize: 512 | 4096 = 512,
): Promise<string | undefined> {
  for (const other of [512, 4096] as const) {
    if (other === sectorSize) continue;
    const header = await bytesAt(image, other, tableMark.length);
    if (header.toString('latin1') === tableMark)
      return `the image has a table for sectors of ${other} bytes, and the disk sectors of ${sectorSize}: give --disk-block-size ${other}`;
  }
  return undefined;
}

/** What has its name is taken for whole, and never made again: it is on the disk before, or a power cut would leave a name of nothing. */
export async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r');
  await file.sync();
}

async function copySparse(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['--sparse=always', '--reflink=auto', '--', from, to]);
}

async function sizeOf(image: string): Promise<number> {
  const size = await stat(image).then(
    (found) => found.size,
    () => undefined,
  );
  if (size === undefined) throw new ClusterError('ERR_CLUSTER_IMAGE', `there is no image ${image}`);
  return size;
}

async function bytesAt(path: string, position: number, length: number): Promise<Buffer> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

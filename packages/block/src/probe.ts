import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { BlkidProbe } from './blkid-probe.ts';
import { BlockError } from './errors.ts';
import { judge, type Judgement } from './judgement.ts';

export type ProbeOptions = { readonly signal?: AbortSignal };

/** What is on one device or file right now. */
export type ProbeResult = Judgement & {
  readonly path: string;
  readonly size: bigint;
  readonly sectorSize: number;
};

/**
 * Asks libblkid what is on a block device or in a file. Nothing is cached and nothing is written: this is the judgement
 * that a decision to format may rest on.
 *
 * Needs read permission. Reads run on pool threads and can't be interrupted: after an abort the descriptor is closed as
 * soon as the current one returns.
 *
 * @throws {BlockError} `ERR_BLOCK_NOT_FOUND`, `ERR_BLOCK_FAILED` with the errno.
 */
export async function probe(path: string, options: ProbeOptions = {}): Promise<ProbeResult> {
  const { signal } = options;
  signal?.throwIfAborted();
  await using file = await openDevice(path);
  using blkid = await BlkidProbe.open(file.fd, path);
  const judgement = await judge(blkid, signal);
  return { path, size: blkid.sizeBytes, sectorSize: blkid.sectorSize, ...judgement };
}

// O_NONBLOCK: opening an optical drive must not wait for a medium.
async function openDevice(path: string) {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const errno = codeOf(error) ?? '';
    const missing = errno === 'ENOENT' || errno === 'ENXIO' || errno === 'ENODEV';
    const code = missing ? 'ERR_BLOCK_NOT_FOUND' : 'ERR_BLOCK_FAILED';
    throw new BlockError(code, path, `open ${path}: ${errno}`, { errno, cause: error });
  }
}

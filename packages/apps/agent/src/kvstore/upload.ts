import { createHash } from 'node:crypto';
import { open, rename, rm, statfs } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import type { DataDirectory } from './data-directory.ts';
import { MemberError } from './errors.ts';

export type UploadPart = {
  readonly data: Uint8Array;
  /** Of all data; with the first part. */
  readonly totalBytes: bigint;
  /** SHA-256 of all data; with the last part. */
  readonly sha256: Uint8Array;
};

/** Beside the file there will be the database made of it, and what etcd reserves for its log. */
const reserveBytes = 64n << 20n;

/**
 * Keeps what arrives as the snapshot to recover from, in place of an earlier one: whole and on the disk, or not at all. What
 * is in it is proven when it is restored.
 *
 * @returns its size.
 * @throws {MemberError} `ERR_MEMBER_UPLOAD`, `ERR_MEMBER_SPACE`
 */
export async function keepUpload(
  parts: AsyncIterable<UploadPart>,
  directory: DataDirectory,
  signal: AbortSignal,
): Promise<bigint> {
  const part = directory.snapshotPart;
  await rm(part, { force: true });
  try {
    const sizeBytes = await write(parts, part, signal);
    await rename(part, directory.snapshot);
    await using handle = await open(directory.path, 'r');
    await handle.sync();
    return sizeBytes;
  } catch (error) {
    await rm(part, { force: true });
    if (codeOf(error) !== 'ENOSPC') throw error;
    throw new MemberError('ERR_MEMBER_SPACE', `the disk of ${directory.path} is full: make room`);
  }
}

async function write(parts: AsyncIterable<UploadPart>, path: string, signal: AbortSignal): Promise<bigint> {
  await using file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let sizeBytes = 0n;
  let stated: Uint8Array = Buffer.alloc(0);
  for await (const { data, totalBytes, sha256 } of parts) {
    signal.throwIfAborted();
    if (totalBytes > 0n) await requireRoom(path, totalBytes);
    hash.update(data);
    await file.writeFile(data); // goes on where the last one ended
    sizeBytes += BigInt(data.length);
    stated = sha256;
  }
  signal.throwIfAborted();
  if (!hash.digest().equals(stated)) {
    const message = 'what arrived is not what was sent, or a part of it: send it again';
    throw new MemberError('ERR_MEMBER_UPLOAD', message);
  }
  await file.sync();
  return sizeBytes;
}

async function requireRoom(path: string, totalBytes: bigint): Promise<void> {
  const { bavail, bsize } = await statfs(path, { bigint: true });
  const needed = 2n * totalBytes + reserveBytes;
  if (bavail * bsize >= needed) return;
  const message = `${bavail * bsize} bytes are free on the kvstore's volume, and a recovery needs ${needed}`;
  throw new MemberError('ERR_MEMBER_SPACE', `${message}: make room, or use a larger volume`);
}

import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname } from 'node:path';

import { codeOf, errnoName, flock, LOCK_EX, LOCK_NB, writeFileAtomic } from '@nodecore/sys';

import { KeyServerError } from '../errors.ts';
import type { KeyRing } from './key-ring.ts';
import { formatRing, maxRingBytes, parseRing } from './ring-text.ts';

/**
 * Reads a ring. Refuses a file that others than its owner may read or write, or that belongs to neither us nor root:
 * with its content, every volume that it ever sealed for can be opened.
 *
 * @returns the ring, which the caller disposes.
 */
export async function readRing(path: string): Promise<KeyRing> {
  await using file = await openRing(path);
  const facts = await file.stat();
  if (!facts.isFile()) throw refused(path, 'no regular file');
  if ((facts.mode & 0o077) !== 0) {
    const mode = (facts.mode & 0o777).toString(8);
    throw refused(path, `others may read or write it (mode ${mode}); if nobody did: chmod 600`);
  }
  if (facts.uid !== 0 && facts.uid !== process.geteuid?.())
    throw refused(path, `it belongs to user ${facts.uid}`);
  const bytes = Buffer.allocUnsafeSlow(maxRingBytes + 1);
  try {
    return parseRing(bytes.subarray(0, await fill(file, bytes)), path);
  } finally {
    bytes.fill(0);
  }
}

/** Writes a first ring, mode 0600. @throws {KeyServerError} `ERR_KMS_RING_EXISTS` rather than replace one. */
export async function createRing(path: string, ring: KeyRing): Promise<void> {
  await locked(path, async (directory) => {
    if (process.geteuid?.() === 0) checkOwner(dirname(path), (await directory.stat()).uid);
    if (await exists(path))
      throw new KeyServerError('ERR_KMS_RING_EXISTS', `${path}: there is one; what it sealed needs it`);
    await writeRing(path, ring);
  });
}

/** Changes a ring so that after a crash the old one is there or the new one, and two changes follow each other. */
export async function changeRing<T>(path: string, change: (ring: KeyRing) => T): Promise<T> {
  return await locked(path, async () => {
    checkOwner(path, (await lstatRing(path)).uid);
    using ring = await readRing(path);
    const result = change(ring);
    await writeRing(path, ring);
    return result;
  });
}

async function writeRing(path: string, ring: KeyRing): Promise<void> {
  using text = formatRing(ring);
  await writeFileAtomic(path, text.bytes);
}

/**
 * Two rotations at once would each write a ring without the other's key, and what that one sealed would be lost. The
 * lock is on the directory, because the file is replaced; the kernel releases it with the process.
 */
async function locked<T>(path: string, task: (directory: FileHandle) => Promise<T>): Promise<T> {
  await using directory = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  const { result, errno } = await flock(directory.fd, LOCK_EX | LOCK_NB);
  if (result === 0) return await task(directory);
  const name = errnoName(errno);
  if (name === 'EAGAIN') throw new KeyServerError('ERR_KMS_RING_BUSY', `${path}: another process changes it`);
  throw new KeyServerError('ERR_KMS_RING_ACCESS', `${path}: flock: ${name}`);
}

async function openRing(path: string): Promise<FileHandle> {
  try {
    // No waiting for the other end of a pipe in its place.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw openingError(path, codeOf(error));
  }
}

function openingError(path: string, code: string | undefined): KeyServerError {
  if (code === 'ENOENT')
    return new KeyServerError(
      'ERR_KMS_RING_MISSING',
      `${path}: no ring there; nodecore-kms ring init makes one`,
    );
  return refused(path, code === 'ELOOP' ? 'a symbolic link' : String(code));
}

async function fill(file: FileHandle, bytes: Buffer): Promise<number> {
  let size = 0;
  while (size < bytes.byteLength) {
    const { bytesRead } = await file.read(bytes, size, bytes.byteLength - size, size);
    if (bytesRead === 0) break;
    size += bytesRead;
  }
  return size;
}

async function lstatRing(path: string): Promise<Stats> {
  try {
    return await lstat(path);
  } catch (error) {
    throw openingError(path, codeOf(error));
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** A file that root writes is root's, and the server could no longer read it. */
function checkOwner(path: string, uid: number): void {
  if (uid !== process.geteuid?.())
    throw refused(
      path,
      `it belongs to user ${uid}; run this as that user, as with: runuser -u NAME -- nodecore-kms …`,
    );
}

function refused(path: string, why: string): KeyServerError {
  return new KeyServerError('ERR_KMS_RING_ACCESS', `${path}: ${why}`);
}

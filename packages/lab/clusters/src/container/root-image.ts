import { type FileHandle, open } from 'node:fs/promises';

import { ClusterError } from '../errors.ts';

/** Where a squashfs lies in a file. */
export type Extent = { readonly offset: number; readonly size: number };

const squashfs = 'hsqs';
/** cpio(5), without checksums. */
const newc = '070701';
const headerBytes = 110;
const last = 'TRAILER!!!';

/**
 * Finds the root of the node OS in a file: it is a squashfs, or a first filesystem as factories and releases have it, with one inside.
 *
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE` for another file, and one with system extensions, which containers would lack.
 */
export async function findRoot(path: string): Promise<Extent> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const magic = (await bytesAt(file, 0, 6)).toString('latin1');
  if (magic.startsWith(squashfs)) return { offset: 0, size };
  if (magic !== newc)
    throw new ClusterError('ERR_CLUSTER_IMAGE', `${path} is no squashfs, and no first filesystem with one`);
  let root: Extent | undefined;
  for await (const { name, ...extent } of members(file, size)) {
    if (name === 'rootfs.sqsh') root = extent;
    else if (name.endsWith('.sqsh'))
      throw new ClusterError('ERR_CLUSTER_IMAGE', `${path} has the extension ${name}: containers have none`);
  }
  if (root !== undefined) return root;
  throw new ClusterError('ERR_CLUSTER_IMAGE', `${path} has no rootfs.sqsh in it`);
}

/** Entries of archives, several in a row with zeros between them. */
async function* members(file: FileHandle, size: number): AsyncGenerator<Extent & { readonly name: string }> {
  let at = 0;
  while (at + headerBytes <= size) {
    const header = (await bytesAt(file, at, headerBytes)).toString('latin1');
    if (header.startsWith('\0\0\0\0')) {
      at += 4;
      continue;
    }
    const field = (index: number): number => Number.parseInt(header.slice(6 + index * 8, 14 + index * 8), 16);
    const [bytes, nameBytes] = [field(6), field(11)];
    if (!header.startsWith(newc) || !Number.isSafeInteger(bytes) || !(nameBytes >= 1 && nameBytes <= 4096))
      throw new ClusterError('ERR_CLUSTER_IMAGE', `a first filesystem is damaged at byte ${at}`);
    const name = (await bytesAt(file, at + headerBytes, nameBytes - 1)).toString('utf8').replace(/^\/+/, '');
    const offset = aligned(at + headerBytes + nameBytes);
    if (offset + bytes > size)
      throw new ClusterError('ERR_CLUSTER_IMAGE', `a first filesystem ends in the middle of ${name}`);
    if (name !== last) yield { name, offset, size: bytes };
    at = aligned(offset + bytes);
  }
}

function aligned(at: number): number {
  return Math.ceil(at / 4) * 4;
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

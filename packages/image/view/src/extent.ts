import type { BigIntStats } from 'node:fs';

import { ViewError } from './errors.ts';

/** What a file was when the view was made. While it is read it must be the same. */
export type FileIdentity = {
  readonly size: number;
  /** Time of the last change of its content, in nanoseconds since 1970. */
  readonly modifiedNs: bigint;
  readonly inode: bigint;
};

/** Bytes that somebody made. The view keeps the array and does not copy it: it must not change any more. */
export type BytesExtent = { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** A range of a file. Without an identity, only its end is checked: the file must reach that far. */
export type FileExtent = {
  readonly kind: 'file';
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  readonly identity?: FileIdentity;
};

/** Zeros that nobody has to read or to store. */
export type HoleExtent = { readonly kind: 'hole'; readonly size: number };

/** A piece of a view. Sizes and offsets are bytes. */
export type Extent = BytesExtent | FileExtent | HoleExtent;

/** How many bytes an extent stands for. */
export function sizeOf(extent: Extent): number {
  return extent.kind === 'bytes' ? extent.bytes.length : extent.size;
}

/** What distinguishes a file from a later one of the same name. */
export function identityOf(stats: BigIntStats): FileIdentity {
  return { size: Number(stats.size), modifiedNs: stats.mtimeNs, inode: stats.ino };
}

/** Whether a file is still what it was when its view was made. */
export function isSameFile(left: FileIdentity, right: FileIdentity): boolean {
  return left.size === right.size && left.modifiedNs === right.modifiedNs && left.inode === right.inode;
}

/** @throws {ViewError} `ERR_VIEW_RANGE` for sizes and offsets that are no byte counts. */
export function assertExtent(extent: Extent): void {
  const numbers = extent.kind === 'file' ? [extent.offset, extent.size] : [sizeOf(extent)];
  if (numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return;
  throw new ViewError('ERR_VIEW_RANGE', `${extent.kind}: ${numbers.join(', ')} is no place in a view`);
}

/** The bytes `start` to `end` of an extent. */
export function sliceExtent(extent: Extent, start: number, end: number): Extent {
  if (extent.kind === 'bytes') return { kind: 'bytes', bytes: extent.bytes.subarray(start, end) };
  if (extent.kind === 'hole') return { kind: 'hole', size: end - start };
  return { ...extent, offset: extent.offset + start, size: end - start };
}

/** One extent for two neighbours, when that needs no copy; undefined when it takes two. */
export function mergeExtents(left: Extent, right: Extent): Extent | undefined {
  if (left.kind === 'hole' && right.kind === 'hole') return { kind: 'hole', size: left.size + right.size };
  if (left.kind === 'bytes' && right.kind === 'bytes') {
    const { buffer, byteOffset, length } = left.bytes;
    if (right.bytes.buffer !== buffer || right.bytes.byteOffset !== byteOffset + length) return undefined;
    return { kind: 'bytes', bytes: new Uint8Array(buffer, byteOffset, length + right.bytes.length) };
  }
  if (left.kind === 'file' && right.kind === 'file') {
    if (left.path !== right.path || right.offset !== left.offset + left.size) return undefined;
    const isSame =
      left.identity === right.identity ||
      (left.identity !== undefined &&
        right.identity !== undefined &&
        isSameFile(left.identity, right.identity));
    return isSame ? { ...left, size: left.size + right.size } : undefined;
  }
  return undefined;
}

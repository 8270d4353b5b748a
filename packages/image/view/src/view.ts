import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';

import { ViewError } from './errors.ts';
import { assertExtent, type Extent, identityOf, mergeExtents, sizeOf, sliceExtent } from './extent.ts';
import { InputFiles } from './input-files.ts';
import { chunkSizeBytes, oneRoom } from './room.ts';
import { type WriteViewOptions, writeView } from './write.ts';

const zeros = new Uint8Array(chunkSizeBytes);

/** How long others may be kept from their turn by chunks that need no reading. */
const turnMs = 1;

export type StreamOptions = {
  /** First byte; 0 by default. */
  readonly start?: number;
  /** Behind the last byte; the size by default. */
  readonly end?: number;
  /** How much of a file is read at once; 256 KiB by default. Each read waits for a thread. */
  readonly chunkBytes?: number;
  readonly signal?: AbortSignal;
  /**
   * Gives the memory that the next chunk of a file is read into: as many bytes as asked for, or fewer, and the chunk is these. For who is
   * done with a chunk before the next one and would leave much to the collector; by default each chunk has memory of its own.
   */
  readonly room?: (sizeBytes: number) => Uint8Array;
};

/**
 * Bytes in an order: some made, some ranges of files, some holes. Immutable; nothing is read until somebody asks.
 *
 * @example
 * ```ts
 * const image = View.of(header, await fileView('kernel'), { kind: 'hole', size: 4096 });
 * for await (const chunk of image.stream({ start: 512 })) await response.write(chunk);
 * ```
 */
export class View {
  readonly size: number;
  /** Neighbours that are one range are one extent; none is empty. */
  readonly extents: readonly Extent[];

  private constructor(extents: readonly Extent[]) {
    this.extents = extents;
    this.size = extents.reduce((sum, extent) => sum + sizeOf(extent), 0);
    if (!Number.isSafeInteger(this.size)) {
      throw new ViewError('ERR_VIEW_RANGE', `${this.size} bytes are too many for a view`);
    }
  }

  /**
   * The parts one behind the other.
   *
   * @throws {ViewError} `ERR_VIEW_RANGE` for a size or an offset that is none.
   */
  static of(...parts: readonly (Extent | View | Uint8Array)[]): View {
    const extents: Extent[] = [];
    for (const part of parts) {
      if (part instanceof View) for (const extent of part.extents) append(extents, extent);
      else append(extents, part instanceof Uint8Array ? { kind: 'bytes', bytes: part } : part);
    }
    return new View(extents);
  }

  /**
   * A part of it; nothing is read.
   *
   * @throws {ViewError} `ERR_VIEW_RANGE` when the range is not inside.
   */
  slice(start: number, end: number = this.size): View {
    this.#assertRange(start, end);
    const extents: Extent[] = [];
    let position = 0;
    for (const extent of this.extents) {
      const from = Math.max(start - position, 0);
      const to = Math.min(end - position, sizeOf(extent));
      if (from < to) append(extents, sliceExtent(extent, from, to));
      position += sizeOf(extent);
    }
    return new View(extents);
  }

  /**
   * The bytes, in chunks of at most `chunkBytes`, those of holes of at most 256 KiB; the next one is read when it is asked for. Others have
   * their turn at least each millisecond, or chunk, also in a hole of any size. Chunks are for reading only: those of holes and of made
   * bytes are not copies. Those of files lie in `room`, if it is given.
   *
   * @throws {ViewError} `ERR_VIEW_CHANGED` when a file is not what it was when the view was made.
   */
  async *stream(options: StreamOptions = {}): AsyncGenerator<Uint8Array> {
    const { start = 0, end = this.size, chunkBytes = chunkSizeBytes, signal, room = ownRoom } = options;
    signal?.throwIfAborted();
    await using files = new InputFiles();
    let since = performance.now();
    for (const extent of this.slice(start, end).extents) {
      for (let done = 0; done < sizeOf(extent);) {
        if (performance.now() - since >= turnMs) {
          await turn();
          since = performance.now();
        }
        const most = extent.kind === 'hole' ? zeros.length : chunkBytes;
        const size = Math.min(most, sizeOf(extent) - done);
        const chunk = await readChunk(extent, { start: done, size, files, room });
        if (extent.kind === 'file') since = performance.now(); // others had their turn meanwhile
        signal?.throwIfAborted();
        yield chunk;
        done += chunk.length;
      }
    }
  }

  /**
   * All of it in memory.
   *
   * @throws {ViewError} `ERR_VIEW_TOO_LARGE` when no buffer is as large, and as `stream`.
   */
  async bytes(): Promise<Buffer> {
    const all = allocate(this.size);
    await using files = new InputFiles();
    let position = 0;
    for (const extent of this.extents) {
      const target = all.subarray(position, position + sizeOf(extent));
      if (extent.kind === 'bytes') target.set(extent.bytes);
      else if (extent.kind === 'file') await files.read(extent, 0, target);
      position += target.length;
    }
    return all;
  }

  /** The digest of all bytes, `sha256` or what else `node:crypto` knows. Reads in the thread pool; between two chunks others run. */
  async digest(algorithm: string, signal?: AbortSignal): Promise<Buffer> {
    const hash = createHash(algorithm);
    for await (const chunk of this.stream({ room: oneRoom(), ...(signal && { signal }) })) hash.update(chunk);
    return hash.digest();
  }

  /**
   * Writes it to a file so that under this name there is either the old file or all of the new one, also after a
   * power cut: `<path>.part`, fsync, rename, fsync of the directory. Holes take no room.
   */
  writeTo(path: string, options: WriteViewOptions = {}): Promise<void> {
    return writeView(this, path, options);
  }

  #assertRange(start: number, end: number): void {
    const isInside =
      Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end <= this.size;
    if (isInside && start <= end) return;
    throw new ViewError('ERR_VIEW_RANGE', `${start} to ${end} is no range of ${this.size} bytes`);
  }
}

/**
 * A whole file as it is now. When it is another one while it is read, the reader gets an error instead of wrong bytes.
 */
export async function fileView(path: string): Promise<View> {
  const identity = identityOf(await stat(path, { bigint: true }));
  return View.of({ kind: 'file', path, offset: 0, size: identity.size, identity });
}

function ownRoom(sizeBytes: number): Uint8Array {
  return Buffer.allocUnsafeSlow(sizeBytes);
}

function append(extents: Extent[], extent: Extent): void {
  assertExtent(extent);
  if (sizeOf(extent) === 0) return;
  const last = extents.at(-1);
  const merged = last === undefined ? undefined : mergeExtents(last, extent);
  if (merged === undefined) extents.push(extent);
  else extents[extents.length - 1] = merged;
}

function allocate(size: number): Buffer {
  try {
    return Buffer.alloc(size);
  } catch (error) {
    throw new ViewError('ERR_VIEW_TOO_LARGE', `${size} bytes don't fit into one buffer`, { cause: error });
  }
}

type Part = {
  readonly start: number;
  readonly size: number;
  readonly files: InputFiles;
  readonly room: (sizeBytes: number) => Uint8Array;
};

async function readChunk(extent: Extent, { start, size, files, room }: Part): Promise<Uint8Array> {
  if (extent.kind === 'hole') return zeros.subarray(0, size);
  if (extent.kind === 'bytes') return extent.bytes.subarray(start, start + size);
  const chunk = room(size);
  await files.read(extent, start, chunk);
  return chunk;
}

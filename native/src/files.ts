/** Trees of files, read by a thread of the addon: what a file system that does not answer holds up is that thread alone. */
import { onAbort } from '@nodecore/waiting';

import { addon } from './addon.ts';
import { NativeError, translated } from './errors.ts';
import type { AddonFileStream } from './files-addon.ts';
import { Handle } from './handle.ts';

export { NativeError };

/** Bytes in front of those of a {@link FilePiece}, in the same buffer, that are free. */
export const fileHeadroomBytes = 16;

export type FilePiece = {
  /** About 256 KiB; there may be none. The receiver's own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the last piece of an archive: `CopyReport` of nodecore.v1. */
  readonly report?: Uint8Array;
};

type Common = {
  /** Names of files are bytes; symbolic links on the way are followed, but for those of /proc that lead to what is open. */
  readonly root: Uint8Array;
  /** Leave out what other file systems hold. */
  readonly oneFileSystem?: boolean;
  readonly signal?: AbortSignal;
};

export type ListingOptions = Common & {
  /** Levels below the root; all of them by default. */
  readonly depth?: number;
  /** Numbers of nodecore.v1.FileType; every type by default. */
  readonly types?: readonly number[];
  /** More than names and types, for the price of a system call or two for each file. */
  readonly details?: boolean;
};

export type UsageOptions = Omit<Common, 'root'> & {
  readonly roots: readonly Uint8Array[];
  /** Levels below each root with rows of their own; none by default. */
  readonly depth?: number;
  /** Rows for files, too. */
  readonly all?: boolean;
  /** Only rows of so many bytes at least; negative: at most. Below 2^53. */
  readonly threshold?: number;
  /** The threshold means what files say they have, not what they take. */
  readonly apparent?: boolean;
};

export type ContentOptions = {
  readonly path: Uint8Array;
  /** In bytes; negative: from the end. Below 2^53. */
  readonly offset?: number;
  /** Bytes; to the end by default. */
  readonly length?: number;
  /** Wait for more at the end, and go on with a file that takes this one's name. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
};

/**
 * The entries of a tree: the bytes of each piece are a `FileBatch` of nodecore.v1. What can't be looked at is named among them.
 *
 * @throws {NativeError} when there is no such place.
 */
export function listFiles(options: ListingOptions): AsyncGenerator<FilePiece, void, undefined> {
  const { root, depth = -1, types = [], details = false, oneFileSystem = false, signal } = options;
  const bits = types.reduce((all, type) => all | (1 << type), 0);
  return pieces('list', { root, depth, types: bits, details, oneFileSystem }, root, signal);
}

/** What trees take of their disks: the bytes of each piece are a `FileUsageBatch` of nodecore.v1. */
export function measureFiles(options: UsageOptions): AsyncGenerator<FilePiece, void, undefined> {
  const { roots, depth = 0, all = false, threshold = 0, apparent = false } = options;
  const { oneFileSystem = false, signal } = options;
  const request = { roots, depth, all, threshold, apparent, oneFileSystem };
  return pieces('usage', request, roots[0] ?? new Uint8Array(), signal);
}

/**
 * The bytes of a regular file. Nothing else is ever opened: no pipe, no device, and of /proc no memory and no log.
 *
 * @throws {NativeError} EISDIR for a directory, EINVAL for what is no regular file, EPERM for what /proc must not show.
 */
export function readContent(options: ContentOptions): AsyncGenerator<FilePiece, void, undefined> {
  const { path, offset = 0, length = -1, follow = false, signal } = options;
  return pieces('read', { path, offset, length, follow }, path, signal);
}

/**
 * A tree as a tar archive with owners, modes, times, links, devices and extended attributes. The report of the last piece says what
 * could not be read; a file that shrinks meanwhile is filled with zeros, and named there.
 *
 * @throws {NativeError} when there is no such place.
 */
export function archiveFiles(options: Common): AsyncGenerator<FilePiece, void, undefined> {
  const { root, oneFileSystem = false, signal } = options;
  return pieces('copy', { root, oneFileSystem }, root, signal);
}

class FileStream extends Handle<AddonFileStream> {
  readonly #name: string;

  constructor(kind: 'copy' | 'list' | 'read' | 'usage', request: object, name: string) {
    const { FileStream: Native } = addon();
    super(
      translated(name, () => new Native(kind, request)),
      'file stream',
    );
    this.#name = name;
  }

  ask(): void {
    this.native.submit();
  }

  /** Undefined when the stream was closed meanwhile. */
  async next(): Promise<(FilePiece & { readonly last: boolean }) | undefined> {
    if (!(await this.readable())) return undefined;
    const piece = translated(this.#name, () => this.native.receive());
    if (piece === undefined) throw new TypeError('file stream without a piece');
    const { report, last } = piece;
    const bytes = new Uint8Array(piece.bytes, fileHeadroomBytes);
    return { bytes, last, ...(report !== undefined && { report }) };
  }
}

/** One piece is made while another one is used. */
async function* pieces(
  kind: 'copy' | 'list' | 'read' | 'usage',
  request: object,
  on: Uint8Array,
  signal: AbortSignal | undefined,
): AsyncGenerator<FilePiece, void, undefined> {
  signal?.throwIfAborted();
  using stream = new FileStream(kind, request, Buffer.from(on).toString());
  using _listener = onAbort(signal, () => stream.close());
  stream.ask();
  for (;;) {
    const piece = await stream.next();
    signal?.throwIfAborted();
    if (piece === undefined) throw new TypeError('file stream closed while it was read');
    const { last, ...rest } = piece;
    if (!last) stream.ask();
    yield rest;
    if (last) return;
    signal?.throwIfAborted();
  }
}

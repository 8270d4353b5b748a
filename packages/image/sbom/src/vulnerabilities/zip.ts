import { crc32, inflateRawSync } from 'node:zlib';

import { SbomError } from '../errors.ts';

/** A file of an archive. */
export type ZipEntry = { readonly name: string; readonly bytes: Uint8Array };

/** A record of a vulnerability has thousands of bytes, and a list of them less than these. */
const maxEntryBytes = 64 * 2 ** 20;

const signatures = { entry: 0x04034b50, central: 0x02014b50, end: 0x06054b50, end64: 0x06064b50 } as const;
/** The end without a comment. */
const endBytes = 22;

/** Whether bytes begin as an archive does, be it empty. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/**
 * The files of a zip archive, one after the other: each is inflated when its turn comes, so that a large archive needs the memory of one
 * file. Takes archives of more than 65535 files (Zip64), as those of OSV are.
 *
 * @throws {SbomError} with `ERR_SBOM_INVALID` for an archive that is cut off or damaged.
 */
export function* readZip(archive: Uint8Array, name: string): Generator<ZipEntry> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  try {
    const end = endOf(view);
    let at = end.offset;
    for (let index = 0; index < end.entries; index += 1) {
      const entry = entryAt(view, at);
      at = entry.next;
      if (!entry.name.endsWith('/')) yield { name: entry.name, bytes: contentOf(archive, view, entry) };
    }
  } catch (cause) {
    if (cause instanceof SbomError) throw cause;
    throw new SbomError('ERR_SBOM_INVALID', `${name}: is no zip archive, or not all of one`, { cause });
  }
}

type Entry = {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Of its own head. */
  readonly offset: number;
  readonly next: number;
};

/** Where the list of files begins, and how many there are (APPNOTE 6.3, 4.3.14 to 4.3.16). */
function endOf(view: DataView): { readonly entries: number; readonly offset: number } {
  let at = view.byteLength - endBytes;
  const first = Math.max(0, at - 0xffff); // a comment may be behind it
  while (at >= first && view.getUint32(at, true) !== signatures.end) at -= 1;
  if (at < first) throw new RangeError('no end');
  const entries = view.getUint16(at + 10, true);
  const offset = view.getUint32(at + 16, true);
  if (entries !== 0xffff && offset !== 0xffffffff) return { entries, offset };
  const end64 = largeAt(view, at - 20 + 8);
  expect(view, end64, signatures.end64);
  return { entries: largeAt(view, end64 + 32), offset: largeAt(view, end64 + 48) };
}

function entryAt(view: DataView, at: number): Entry {
  expect(view, at, signatures.central);
  const word = (offset: number): number => view.getUint16(at + offset, true);
  const double = (offset: number): number => view.getUint32(at + offset, true);
  const [nameBytes, extraBytes, commentBytes] = [word(28), word(30), word(32)];
  const large = largeFields(view, at + 46 + nameBytes, extraBytes);
  const size = (offset: number): number =>
    double(offset) === 0xffffffff ? (large.shift() ?? Number.NaN) : double(offset);
  // In this order they stand among the large ones.
  const [bytes, packedBytes, offset] = [size(24), size(20), size(42)];
  const name = new Uint8Array(view.buffer, view.byteOffset + at + 46, nameBytes);
  const next = at + 46 + nameBytes + extraBytes + commentBytes;
  const text = new TextDecoder().decode(name);
  return { name: text, method: word(10), checksum: double(16), packedBytes, bytes, offset, next };
}

/** Sizes and places beyond 4 GiB, which stand in a field of their own (4.5.3). */
function largeFields(view: DataView, from: number, length: number): number[] {
  for (let at = from; at + 4 <= from + length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const count = Math.floor(view.getUint16(at + 2, true) / 8);
    return Array.from({ length: count }, (_, index) => largeAt(view, at + 4 + index * 8));
  }
  return [];
}

function contentOf(archive: Uint8Array, view: DataView, entry: Entry): Uint8Array {
  const { offset, packedBytes, bytes, method, checksum } = entry;
  expect(view, offset, signatures.entry);
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (!(start + packedBytes <= archive.length && bytes <= maxEntryBytes)) throw new RangeError('too large');
  const packed = archive.subarray(start, start + packedBytes);
  // One more than it says, so that one that has more is seen.
  const content = method === 8 ? inflateRawSync(packed, { maxOutputLength: bytes + 1 }) : packed;
  if ((method !== 0 && method !== 8) || content.length !== bytes || crc32(content) !== checksum)
    throw new RangeError('not what was packed');
  return content;
}

function expect(view: DataView, at: number, signature: number): void {
  if (view.getUint32(at, true) !== signature) throw new RangeError('another record');
}

function largeAt(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('too large');
  return Number(value);
}

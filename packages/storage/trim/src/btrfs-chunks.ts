import { ioctl, type IoctlTarget } from '@nodecore/sys';

/** A stretch of a filesystem's address space that is discarded whole or not at all. */
export type Piece = { readonly start: bigint; readonly length: bigint };

// linux/btrfs.h and linux/btrfs_tree.h
const BTRFS_IOC_TREE_SEARCH = 0xd0009411;
const BTRFS_CHUNK_TREE_OBJECTID = 3n;
const BTRFS_FIRST_CHUNK_TREE_OBJECTID = 256n;
const BTRFS_CHUNK_ITEM_KEY = 228;
const argumentBytes = 4096;
const itemsAt = 104;
const headerBytes = 32;
const everything = (1n << 64n) - 1n;

/**
 * The chunks of a btrfs, in the order of its addresses (BTRFS_IOC_TREE_SEARCH in the chunk tree). Needs CAP_SYS_ADMIN.
 *
 * FITRIM looks only at chunks that begin inside its range, and only as far as the range goes: ranges have to end where chunks
 * do, or the rest of a chunk is never discarded.
 */
export async function readChunks(directory: IoctlTarget): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (let from = 0n; ;) {
    const argument = searchFrom(from);
    await ioctl({ ...directory, name: 'BTRFS_IOC_TREE_SEARCH' }, BTRFS_IOC_TREE_SEARCH, argument);
    const found = parseItems(argument);
    pieces.push(...found);
    const last = found.at(-1);
    if (last === undefined || last.start === everything) return pieces;
    from = last.start + 1n;
  }
}

/** struct btrfs_ioctl_search_args: the chunks from an address on. */
function searchFrom(address: bigint): Buffer {
  const argument = Buffer.alloc(argumentBytes);
  const objectId = BTRFS_FIRST_CHUNK_TREE_OBJECTID;
  const words = [BTRFS_CHUNK_TREE_OBJECTID, objectId, objectId, address, everything, 0n, everything];
  for (const [index, word] of words.entries()) argument.writeBigUInt64LE(word, index * 8);
  argument.writeUInt32LE(BTRFS_CHUNK_ITEM_KEY, 56); // smallest type
  argument.writeUInt32LE(BTRFS_CHUNK_ITEM_KEY, 60); // largest type
  argument.writeUInt32LE(argumentBytes, 64); // as many items as fit
  return argument;
}

/** struct btrfs_ioctl_search_header, then struct btrfs_chunk, which begins with its length; again and again. */
function parseItems(argument: Buffer): Piece[] {
  const pieces: Piece[] = [];
  const count = argument.readUInt32LE(64);
  for (let index = 0, at = itemsAt; index < count; index += 1) {
    const start = argument.readBigUInt64LE(at + 16);
    const itemBytes = argument.readUInt32LE(at + 28);
    pieces.push({ start, length: argument.readBigUInt64LE(at + headerBytes) });
    at += headerBytes + itemBytes;
  }
  return pieces;
}

/** Blocks of a ring, each contiguous memory of the kernel. */
export type RingSize = { readonly blockBytes: number; readonly blocks: number };

/** Somebody is woken once per block: large ones cost less, and the processor's cache still holds them. */
const largestBlockBytes = 1 << 21;
/** Of a small ring: the kernel fills one block while others are read. */
const defaultBlocks = 16;
/** Where blocks of that number could not hold a packet. */
const fewestBlocks = 4;
/** What the kernel writes before a packet: the block's and the packet's header, and what aligns them. */
const headerBytes = 256;

/**
 * The kernel cuts a packet that does not fit in a block, so each block holds the largest one: frames of 64 KiB are common on
 * links of 1500 bytes, where the network card puts segments together. A ring that is too small for a few of those grows.
 */
export function ringSize(ringBytes: number, snapLength: number): RingSize {
  const usual = 2 ** Math.floor(Math.log2(ringBytes / defaultBlocks));
  const needed = 2 ** Math.ceil(Math.log2(snapLength + headerBytes));
  const blockBytes = Math.min(largestBlockBytes, Math.max(usual, needed));
  return { blockBytes, blocks: Math.max(fewestBlocks, Math.floor(ringBytes / blockBytes)) };
}

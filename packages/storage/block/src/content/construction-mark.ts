import { createHash } from 'node:crypto';

import type { DeviceFile } from '../devices/device-file.ts';

/** Who makes something on a device, and in which attempt: no other disk has this nonce, and no other attempt. */
export type ConstructionMark = {
  readonly volumeId: string;
  /** At least 16 random bytes, in hexadecimal. */
  readonly nonce: string;
};

/** A stretch of a device, in bytes. */
export type Stretch = { readonly offset: bigint; readonly size: bigint };

/** A copy of a mark takes one block, at a multiple of its size. */
export const markBytes = 4096;
/** A record takes a sector, which every device writes whole; the rest of its block is zero. */
const recordBytes = 512;
const digestBytes = 32;
const copies = 64n;
/** Every wipe takes both ends, and every format asks for them to be zero. */
const edgeBytes = 1n << 20n;

/**
 * Where the copies of a mark are: spread evenly between both ends, so that whatever makes a filesystem or a LUKS header there,
 * which writes some places only, leaves most of them. None on a device that has nothing between its ends.
 */
export function markPlaces({ offset, size }: Stretch): bigint[] {
  const room = size - 2n * edgeBytes - BigInt(markBytes);
  if (room < 0n) return [];
  const block = BigInt(markBytes);
  const places = Array.from({ length: Number(copies) }, (_, copy) => {
    const at = edgeBytes + (room * BigInt(copy)) / (copies - 1n);
    return offset + (at / block) * block;
  });
  return [...new Set(places)];
}

/** The block that says it; for people, too. */
export function encodeMark({ volumeId, nonce }: ConstructionMark): Buffer {
  const block = Buffer.alloc(markBytes);
  block.write(`nodecore construction\nvolume ${volumeId}\nnonce ${nonce}\nThis block holds no data.\n`);
  digestOf(block).copy(block, recordBytes - digestBytes);
  return block;
}

/** Whether a block is a copy of a mark, of whatever attempt: it holds no data, as it says. */
export function isMark(block: Buffer): boolean {
  const [, volumeId, nonce] =
    /^nodecore construction\nvolume (.+)\nnonce (.+)\n/.exec(block.toString('latin1', 0, recordBytes)) ?? [];
  return volumeId !== undefined && nonce !== undefined && encodeMark({ volumeId, nonce }).equals(block);
}

/** Every copy, all durable when it resolves; after a crash meanwhile any of them may be there, and one is enough. */
export async function writeMarks(
  device: DeviceFile,
  stretch: Stretch,
  mark: ConstructionMark,
): Promise<void> {
  await device.writeEach(markPlaces(stretch), encodeMark(mark));
}

/** The same, of which copies that are there already stay as they are. */
export async function completeMarks(
  device: DeviceFile,
  stretch: Stretch,
  mark: ConstructionMark,
): Promise<void> {
  const there = new Set(await Array.fromAsync(marksOn(device, stretch, mark)));
  const missing = markPlaces(stretch).filter((place) => !there.has(place));
  await device.writeEach(missing, encodeMark(mark));
}

/** Whether one copy is there at least. */
export async function carriesMark(
  device: DeviceFile,
  stretch: Stretch,
  mark: ConstructionMark,
): Promise<boolean> {
  for await (const _ of marksOn(device, stretch, mark)) return true;
  return false;
}

/** Zeroes the copies that are left: nobody has used these blocks for anything. */
export async function eraseMarks(
  device: DeviceFile,
  stretch: Stretch,
  mark: ConstructionMark,
): Promise<void> {
  const left = await Array.fromAsync(marksOn(device, stretch, mark));
  await device.writeEach(left, Buffer.alloc(markBytes));
}

/** Where the mark is, one place after the other, read from the medium. */
async function* marksOn(
  device: DeviceFile,
  stretch: Stretch,
  mark: ConstructionMark,
): AsyncGenerator<bigint, void, undefined> {
  const block = encodeMark(mark);
  await device.dropCache();
  for (const place of markPlaces(stretch))
    if ((await device.read(place, markBytes)).equals(block)) yield place;
}

function digestOf(block: Buffer): Buffer {
  return createHash('sha256')
    .update(block.subarray(0, recordBytes - digestBytes))
    .digest();
}

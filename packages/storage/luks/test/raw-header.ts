import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** Size of a copy of the header, as the library makes it by default; the second copy begins there. */
export const copyBytes = 0x4000;

/** Overwrites a page of a file. */
export async function damage(path: string, position: number): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(Buffer.alloc(4096, 0x55), 0, 4096, position);
}

/** What somebody with the disk in his hands can do: other JSON, with a valid checksum, in the copies at `positions`. */
export async function reseal(
  path: string,
  positions: readonly number[],
  edit: (json: string) => string,
  sequence?: bigint,
): Promise<void> {
  await using file = await open(path, 'r+');
  for (const position of positions) {
    const bytes = Buffer.alloc(copyBytes);
    await file.read(bytes, 0, bytes.length, position);
    const json = bytes.toString('utf8', 4096, bytes.indexOf(0, 4096));
    bytes.fill(0, 4096);
    bytes.write(edit(json), 4096);
    if (sequence !== undefined) bytes.writeBigUInt64BE(sequence, 16);
    sealBytes(bytes);
    await file.write(bytes, 0, bytes.length, position);
  }
}

/** The same for the bytes of one copy, its block and its JSON area. */
export async function resealBlock(
  path: string,
  position: number,
  edit: (copy: Buffer) => void,
): Promise<void> {
  await using file = await open(path, 'r+');
  const bytes = Buffer.alloc(copyBytes);
  await file.read(bytes, 0, bytes.length, position);
  edit(bytes);
  sealBytes(bytes);
  await file.write(bytes, 0, bytes.length, position);
}

/** LUKS2 specification 2.1: the hash of the copy that its block names, taken with zeros at its own place. */
export function sealBytes(bytes: Buffer): void {
  bytes.fill(0, 448, 512);
  const algorithm = bytes.toString('latin1', 72, bytes.indexOf(0, 72));
  createHash(algorithm === 'sha512' ? 'sha512' : 'sha256')
    .update(bytes)
    .digest()
    .copy(bytes, 448);
}

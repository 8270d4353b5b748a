import { createHash } from 'node:crypto';

/** A UUID (version 8) that is the same for the same recipe and name on every machine. */
export function derivedUuid(recipe: string, name: string): string {
  const bytes = derived(recipe, name).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** 32 bits of it, for the serial number of a FAT. */
export function derivedSerial(recipe: string, name: string): number {
  return derived(recipe, name).readUInt32LE(0);
}

function derived(recipe: string, name: string): Buffer {
  // The NUL keeps `ab` + `c` and `a` + `bc` apart.
  return createHash('sha256').update(recipe).update('\0').update(name).digest();
}

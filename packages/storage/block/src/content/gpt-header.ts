import { crc32 } from 'node:zlib';

/** The header of one copy of a GUID partition table (UEFI specification, 5.3.2). */
export type GptHeader = {
  readonly ownLba: bigint;
  readonly otherLba: bigint;
  readonly firstUsableLba: bigint;
  readonly lastUsableLba: bigint;
  /** The 16 bytes of the disk's GUID, in hexadecimal as they are stored. */
  readonly diskGuid: string;
  readonly entriesLba: bigint;
  readonly entryCount: number;
  readonly entrySize: number;
  readonly entriesCrc: number;
};

const signature = Buffer.from('EFI PART', 'latin1');
const smallestHeader = 92;

/** Parses a sector. Undefined: it holds no header, or a damaged one. */
export function parseGptHeader(sector: Uint8Array): GptHeader | undefined {
  const bytes = Buffer.from(sector); // a copy: the checksum is computed with its own field zeroed
  if (!bytes.subarray(0, 8).equals(signature)) return undefined;
  const size = bytes.readUInt32LE(12);
  if (bytes.readUInt32LE(8) !== 0x0001_0000 || size < smallestHeader || size > bytes.length) return undefined;
  const crc = bytes.readUInt32LE(16);
  bytes.writeUInt32LE(0, 16);
  if (crc32(bytes.subarray(0, size)) !== crc) return undefined;
  if (!isZero(bytes.subarray(size))) return undefined; // the rest of the sector is reserved and zero
  return {
    ownLba: bytes.readBigUInt64LE(24),
    otherLba: bytes.readBigUInt64LE(32),
    firstUsableLba: bytes.readBigUInt64LE(40),
    lastUsableLba: bytes.readBigUInt64LE(48),
    diskGuid: bytes.subarray(56, 72).toString('hex'),
    entriesLba: bytes.readBigUInt64LE(72),
    entryCount: bytes.readUInt32LE(80),
    entrySize: bytes.readUInt32LE(84),
    entriesCrc: bytes.readUInt32LE(88),
  };
}

/** True also for no bytes at all. Compares 4096 bytes at a time, which is fast enough for whole MiB. */
export function isZero(bytes: Uint8Array): boolean {
  return firstNonZero(bytes) === undefined;
}

const zeros = Buffer.alloc(4096);

/** The index of the first byte that is not zero; undefined when all are zero. */
export function firstNonZero(bytes: Uint8Array): number | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < buffer.length; at += zeros.length) {
    const block = buffer.subarray(at, at + zeros.length);
    if (block.equals(zeros.subarray(0, block.length))) continue;
    return at + block.findIndex((byte) => byte !== 0);
  }
  return undefined;
}

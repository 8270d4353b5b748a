/**
 * One copy of a LUKS2 header, read without the library: the binary block, and the JSON area that follows it.
 * LUKS2 on-disk format specification, 2.1 and 2.2. The bytes are as hostile as the disk they come from.
 */
import { isUtf8 } from 'node:buffer';
import { hash, randomFillSync } from 'node:crypto';

export type CopyPlace = 'primary' | 'secondary';

/** What the binary block says; nothing is proved before the checksum. */
export type BinaryBlock = {
  /** Where the copy says it begins, in bytes. */
  readonly offset: number;
  /** Block and JSON area together. */
  readonly sizeBytes: number;
  /** Raised by every change; the copy with the higher one is the newer. */
  readonly sequence: bigint;
  readonly checksum: 'sha256' | 'sha512';
  readonly uuid: string;
  readonly label: string;
  readonly subsystem: string;
};

export type ValidCopy = BinaryBlock & {
  readonly state: 'valid';
  /** Text of the JSON area. */
  readonly json: string;
};

/** Its checksum is right, so no crash and no bad sector did this; but what it says is no LUKS2 header. */
export type InvalidCopy = BinaryBlock & {
  readonly state: 'invalid';
  readonly reason: string;
  /** Text of the JSON area, as far as it is one. */
  readonly json: string;
};

export type HeaderCopy =
  | ValidCopy
  | InvalidCopy
  | { readonly state: 'missing' } // no magic number at its place
  | { readonly state: 'damaged'; readonly reason: string };

/** Size of the binary block. */
export const blockBytes = 4096;
/** Sizes that a copy may have, which are also the places where the second one may begin. */
export const copySizes: readonly number[] = [
  0x4000, 0x8000, 0x10000, 0x20000, 0x40000, 0x80000, 0x100000, 0x200000, 0x400000,
];

/** The reason of a first copy that is the header of LUKS1. */
export const versionOne = 'its version is 1';

/** Offsets in the block; numbers are big-endian. */
const at = {
  version: 6,
  size: 8,
  sequence: 16,
  label: 24,
  algorithm: 72,
  salt: 104,
  uuid: 168,
  subsystem: 208,
  offset: 256,
  checksum: 448,
} as const;
const checksumBytes = 64;
const saltBytes = 64;

const magics: Readonly<Record<CopyPlace, Buffer>> = {
  primary: Buffer.from('LUKS\xba\xbe', 'latin1'),
  secondary: Buffer.from('SKUL\xba\xbe', 'latin1'),
};

/**
 * Reads the binary block that stands at `position`.
 *
 * @returns the block, undefined where no copy begins, or the reason why what begins is no copy.
 */
export function readBlock(
  bytes: Buffer,
  place: CopyPlace,
  position: number,
): BinaryBlock | string | undefined {
  if (!bytes.subarray(0, at.version).equals(magics[place])) return undefined;
  if (bytes.length < blockBytes) return 'it is cut off';
  const version = bytes.readUInt16BE(at.version);
  if (version === 1 && place === 'primary') return versionOne;
  if (version !== 2) return `its version is ${version}`;
  const sizeBytes = Number(bytes.readBigUInt64BE(at.size));
  if (!copySizes.includes(sizeBytes)) return 'its size is none of the format';
  if (bytes.readBigUInt64BE(at.offset) !== BigInt(position)) return 'it belongs at another offset';
  if (place === 'secondary' && position !== sizeBytes) return 'its size is not its offset';
  const checksum = text(bytes, at.algorithm, 32);
  if (checksum !== 'sha256' && checksum !== 'sha512') return 'its checksum is neither sha256 nor sha512';
  return {
    offset: position,
    sizeBytes,
    sequence: bytes.readBigUInt64BE(at.sequence),
    checksum,
    uuid: text(bytes, at.uuid, 40),
    label: text(bytes, at.label, 48),
    subsystem: text(bytes, at.subsystem, 48),
  };
}

/** Checks a whole copy whose block has been read: its checksum, and that its JSON area holds one text. */
export function readCopy(block: BinaryBlock, bytes: Buffer): HeaderCopy {
  if (bytes.length < block.sizeBytes) return { state: 'damaged', reason: 'it is cut off' };
  const stored = bytes.subarray(at.checksum, at.checksum + checksumBytes);
  const actual = checksumOf(bytes, block.checksum);
  if (!stored.subarray(0, actual.length).equals(actual)) {
    return { state: 'damaged', reason: 'its checksum does not match' };
  }
  const area = bytes.subarray(blockBytes, block.sizeBytes);
  const end = area.indexOf(0);
  const json = area.toString('utf8', 0, end < 0 ? area.length : end);
  const invalid = (reason: string): HeaderCopy => ({ ...block, state: 'invalid', reason, json });
  if (end < 0 || area[0] !== 0x7b) return invalid('its JSON area holds no text');
  // Two readers must read the same: nothing may hide behind the end of a C string, or in bytes that are no characters.
  const rest = area.subarray(end);
  if (!rest.equals(Buffer.alloc(rest.length)) || !isUtf8(area)) {
    return invalid('its JSON area holds more than text');
  }
  return { ...block, state: 'valid', json };
}

/**
 * A copy for one of the two places, made from the bytes of a valid one: what belongs to the place, a new salt, what
 * `changes` says, and the checksum.
 */
export function buildCopy(
  place: CopyPlace,
  source: Buffer,
  block: BinaryBlock,
  changes: { readonly sequence: bigint; readonly json: string },
): Buffer {
  const bytes = Buffer.from(source);
  magics[place].copy(bytes);
  bytes.writeBigUInt64BE(place === 'primary' ? 0n : BigInt(block.sizeBytes), at.offset);
  bytes.writeBigUInt64BE(changes.sequence, at.sequence);
  // Specification 2.1: random, only so that two copies never have the same checksum.
  randomFillSync(bytes, at.salt, saltBytes);
  bytes.fill(0, blockBytes);
  bytes.write(changes.json, blockBytes, 'utf8');
  bytes.fill(0, at.checksum, at.checksum + checksumBytes);
  checksumOf(bytes, block.checksum).copy(bytes, at.checksum);
  return bytes;
}

/** Specification 2.1: over block and JSON area, with zeros in place of the checksum itself. */
function checksumOf(bytes: Buffer, algorithm: 'sha256' | 'sha512'): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(0, at.checksum, at.checksum + checksumBytes);
  return hash(algorithm, copy, 'buffer');
}

/** Text that ends at its first zero byte. */
function text(bytes: Buffer, start: number, sizeBytes: number): string {
  const field = bytes.subarray(start, start + sizeBytes);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? sizeBytes : end);
}

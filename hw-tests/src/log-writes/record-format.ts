import { RigError } from '../errors.ts';

/**
 * The bytes that the kernel's dm-log-writes leaves on its log device (Documentation/admin-guide/device-mapper/
 * log-writes.rst, drivers/md/dm-log-writes.c). All numbers are little endian.
 *
 * Sector 0 holds magic u64, version u64, number of entries u64, sector size u32. Then one entry after another, each a
 * sector of its own, sector u64, number of sectors u64, flags u64, length of data u64 and, in a mark, its text, followed
 * by the data that was written. Sectors are those of the recorded device.
 */
export type RecordHead = { readonly entries: number; readonly sectorSize: number };

/** One recorded request, or a mark. Offsets and lengths are bytes. */
export type RecordEntry = {
  /** Its place in the record, from 0. */
  readonly index: number;
  /** Where on the device. */
  readonly offset: number;
  /** How much was written or discarded; 0 for a mark and for a flush alone. */
  readonly length: number;
  /** Everything that had ended before it is durable with it. */
  readonly flush: boolean;
  /** Durable by itself, without a flush. */
  readonly fua: boolean;
  readonly discard: boolean;
  /** The text of a mark that somebody set. */
  readonly mark?: string;
};

export const headBytes = 28;
const magic = 0x6a736677736872n;
const flags = { flush: 1n, fua: 2n, discard: 4n, mark: 8n } as const;
const entryBytes = 32;

/** @throws {RigError} `ERR_RIG_RECORD` for anything that such a kernel does not write. */
export function parseHead(name: string, bytes: Buffer): RecordHead {
  if (bytes.length < headBytes || bytes.readBigUInt64LE(0) !== magic) {
    throw broken(name, 'no record of dm-log-writes');
  }
  const version = bytes.readBigUInt64LE(8);
  if (version !== 1n) throw broken(name, `version ${version} of the record`);
  const sectorSize = bytes.readUInt32LE(24);
  if (![512, 1024, 2048, 4096].includes(sectorSize)) throw broken(name, `sectors of ${sectorSize} bytes`);
  return { entries: number(name, 'number of entries', bytes.readBigUInt64LE(16)), sectorSize };
}

/** Reads the sector of one entry. `limits` are the device's size, which no write may pass. */
export function parseEntry(
  name: string,
  sector: Buffer,
  at: { readonly index: number; readonly deviceBytes: number },
): RecordEntry {
  const { index, deviceBytes } = at;
  const what = (field: string): string => `${field} of entry ${index}`;
  const size = sector.length;
  const bits = sector.readBigUInt64LE(16);
  const offset = number(name, what('sector'), sector.readBigUInt64LE(0) * BigInt(size));
  const length = number(name, what('number of sectors'), sector.readBigUInt64LE(8) * BigInt(size));
  if (offset + length > deviceBytes) {
    throw broken(name, `entry ${index} ends at ${offset + length}, the device at ${deviceBytes}`);
  }
  const isMark = (bits & flags.mark) !== 0n;
  const dataLength = number(name, what('length of data'), sector.readBigUInt64LE(24));
  if (isMark && (length > 0 || entryBytes + dataLength > size)) {
    throw broken(name, `mark ${index} has ${dataLength} bytes of text and ${length} of data`);
  }
  return {
    index,
    offset,
    length,
    flush: (bits & flags.flush) !== 0n,
    fua: (bits & flags.fua) !== 0n,
    discard: (bits & flags.discard) !== 0n,
    ...(isMark && { mark: markText(sector.subarray(entryBytes, entryBytes + dataLength)) }),
  };
}

/** How many bytes of data stand behind the entry's sector. */
export function dataBytes(entry: RecordEntry): number {
  return entry.discard ? 0 : entry.length;
}

/** The kernel keeps the zero byte that ends the message it was given. */
function markText(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}

function number(name: string, what: string, value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw broken(name, `${what} is ${value}`);
  return Number(value);
}

export function broken(name: string, what: string): RigError {
  return new RigError('ERR_RIG_RECORD', name, what);
}

import { EfiError } from '../errors.ts';

export const timeBytes = 16;

/**
 * EFI_TIME of an authenticated variable: UTC to the second, all else zero.
 *
 * @throws {EfiError} `ERR_EFI_VARIABLE` for a time outside of the years 1900 to 9999.
 */
export function encodeTime(time: Date): Buffer {
  const year = time.getUTCFullYear();
  if (!(year >= 1900 && year <= 9999))
    throw new EfiError('ERR_EFI_VARIABLE', `no variable is of the year ${year}`);
  const bytes = Buffer.alloc(timeBytes);
  bytes.writeUInt16LE(year, 0);
  bytes[2] = time.getUTCMonth() + 1;
  bytes[3] = time.getUTCDate();
  bytes[4] = time.getUTCHours();
  bytes[5] = time.getUTCMinutes();
  bytes[6] = time.getUTCSeconds();
  return bytes;
}

/** The time of an EFI_TIME, to the second. */
export function decodeTime(bytes: Buffer): Date {
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = bytes.subarray(2, 7);
  return new Date(Date.UTC(bytes.readUInt16LE(0), month - 1, day, hour, minute, second));
}

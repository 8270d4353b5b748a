import { FilesError } from './errors.ts';

/** PATH_MAX of linux/limits.h, which counts the NUL. */
const mostBytes = 4095;

/** A path of a request, which the kernel takes as it is. @throws {FilesError} `ERR_FILES_REQUEST` */
export function checkedPath(field: string, path: Uint8Array): Uint8Array {
  const bytes = Buffer.from(path.buffer, path.byteOffset, path.length);
  const refuse = (why: string): never => {
    throw new FilesError('ERR_FILES_REQUEST', `${field}: ${JSON.stringify(bytes.toString())} ${why}`);
  };
  if (bytes[0] !== slash) refuse('is not absolute');
  if (bytes.includes(0)) refuse('has a NUL');
  if (bytes.length > mostBytes)
    throw new FilesError('ERR_FILES_REQUEST', `${field}: longer than ${mostBytes} bytes`);
  return bytes;
}

const slash = 0x2f;

/** A number of 64 bits that JavaScript can count with. @throws {FilesError} `ERR_FILES_REQUEST` */
export function checkedNumber(field: string, value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new FilesError('ERR_FILES_REQUEST', `${field}: ${value} is beyond 2^53`);
  return number;
}

import { CodedError } from './coded-error.ts';
import { errnoName } from './errno.ts';
import type { ErrorKind, ErrorKinds } from './error-kind.ts';
import { ioctlIntegerAsync, ioctlPointerAsync } from './ffi.ts';

export type SystemCallErrorCode = 'ERR_SYSTEM_CALL'; // a system call failed; see `errno`

const kinds: ErrorKinds<SystemCallErrorCode> = {
  ERR_SYSTEM_CALL: 'internal',
};

/** A failed system call: which one, on what, and what the kernel said. */
export class SystemCallError extends CodedError<SystemCallErrorCode> {
  readonly syscall: string;
  readonly errno: string;
  readonly path: string;

  constructor(syscall: string, path: string, errno: number) {
    super('ERR_SYSTEM_CALL', `${syscall} on ${path}: ${errnoName(errno)}`);
    this.syscall = syscall;
    this.path = path;
    this.errno = errnoName(errno);
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'SystemCallError';
  }
}

/** What an ioctl is called on: the descriptor, and the names that make an error readable. */
export type IoctlTarget = { readonly fd: number; readonly path: string; readonly name: string };

/**
 * ioctl(2) on a pool thread. The kernel reads from and writes to `argument` in place.
 *
 * @returns the non-negative result of the call.
 * @throws {SystemCallError} with the errno of the calling thread.
 */
export async function ioctl(
  target: IoctlTarget,
  request: number,
  argument: Uint8Array | number = 0,
): Promise<number> {
  const { result, errno } =
    typeof argument === 'number'
      ? await ioctlIntegerAsync(target.fd, request, argument)
      : await ioctlPointerAsync(target.fd, request, argument);
  if (result < 0) throw new SystemCallError(target.name, target.path, errno);
  return result;
}

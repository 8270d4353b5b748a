import { getSystemErrorName } from 'node:util';

export type NativeErrorCode =
  | 'ERR_NATIVE_LOAD' // the addon is not built, or this Node can't load it
  | 'ERR_NATIVE_SYSTEM_CALL' // a system call failed; see `errno` and `syscall`
  | 'ERR_NATIVE_LIBRARY' // a library that is loaded at first use is missing; the message names its packages
  | 'ERR_NATIVE_TPM'; // the TPM, or the way to it, refused; a `TpmCallError` with the facts

/** A failure of the addon, with the system call and errno behind it. */
export class NativeError extends Error {
  readonly code: NativeErrorCode;
  readonly syscall: string;
  /** The errno's name; `''` when no system call failed. */
  readonly errno: string;

  constructor(
    code: NativeErrorCode,
    message: string,
    options: ErrorOptions & { readonly syscall?: string; readonly errno?: string } = {},
  ) {
    const { syscall = '', errno = '', ...rest } = options;
    super(message, rest);
    this.code = code;
    this.syscall = syscall;
    this.errno = errno;
  }

  static {
    this.prototype.name = 'NativeError';
  }
}

/** What the addon sets on its errors, which have no message of their own; `errno` is positive. */
export type SystemFailure = { readonly errno: number; readonly syscall: string };

/** An error to throw or to report: `errno` is positive, and `on` names in the message what the call was made on. */
export function systemCallError({ errno, syscall }: SystemFailure, on: string): NativeError {
  const name = getSystemErrorName(-errno);
  return new NativeError('ERR_NATIVE_SYSTEM_CALL', `${syscall} on ${on}: ${name}`, { syscall, errno: name });
}

/** Runs a call into the addon. @throws {NativeError} `ERR_NATIVE_SYSTEM_CALL` for a failed system call in it. */
export function translated<T>(on: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw isSystemFailure(error) ? systemCallError(error, on) : error;
  }
}

/** Whether the addon threw it. */
export function isSystemFailure(error: unknown): error is SystemFailure {
  return error instanceof Error && 'errno' in error && 'syscall' in error;
}

import { getSystemErrorName } from 'node:util';

export type NativeErrorCode =
  | 'ERR_NATIVE_LOAD' // the addon is not built, or this Node can't load it
  | 'ERR_NATIVE_SYSTEM_CALL' // a system call failed; see `errno` and `syscall`
  | 'ERR_NATIVE_LIBRARY' // a library that is loaded at first use is missing; the message names its packages
  | 'ERR_NATIVE_TPM'; // the TPM, or the way to it, refused; a `TpmCallError` with the facts

/** What the addon can't do, and what the system said about it. */
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

/** The facts that the addon puts on an error: no wording, that is ours. */
export type SystemFailure = { readonly errno: number; readonly syscall: string };

export function systemCallError({ errno, syscall }: SystemFailure, on: string): NativeError {
  const name = getSystemErrorName(-errno);
  return new NativeError('ERR_NATIVE_SYSTEM_CALL', `${syscall} on ${on}: ${name}`, { syscall, errno: name });
}

/** Runs a call into the addon and gives its failure words. */
export function translated<T>(on: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw isSystemFailure(error) ? systemCallError(error, on) : error;
  }
}

function isSystemFailure(error: unknown): error is SystemFailure {
  return error instanceof Error && 'errno' in error && 'syscall' in error;
}

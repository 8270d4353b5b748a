import { constants } from 'node:os';

import { CodedError, type ErrorKind, type ErrorKinds, errnoName } from '@nodecore/sys';

export type LuksErrorCode =
  | 'ERR_LUKS_KEY_REJECTED' // no keyslot opens with this key
  | 'ERR_LUKS_NOT_LUKS' // the device has no LUKS header
  | 'ERR_LUKS_VERSION' // the device has a LUKS1 header
  | 'ERR_LUKS_DAMAGED' // there is a LUKS2 header, but neither copy of it is valid
  | 'ERR_LUKS_EXISTS' // format was not told to overwrite the LUKS header it found
  | 'ERR_LUKS_BUSY' // mapped name, device or keyslot is in use
  | 'ERR_LUKS_HELD' // an operation on another device, `device`, does not end, and there is one at a time
  | 'ERR_LUKS_NOT_FOUND' // no such device or keyslot
  | 'ERR_LUKS_UNSUPPORTED' // a parameter or a header that we do not accept, or a kernel without the feature
  | 'ERR_LUKS_LAST_KEYSLOT' // removing it would leave no keyslot that is proved to open
  | 'ERR_LUKS_FULL' // no free keyslot or token, or no room left in the header for one; nothing was changed
  | 'ERR_LUKS_MISMATCH' // the header is not the one that was expected: somebody may have replaced it
  | 'ERR_LUKS_BACKUP' // what was given as a header backup is none, or none for this device
  | 'ERR_LUKS_MEMORY' // the key derivation needs more memory than this process can have now
  | 'ERR_LUKS_RECOVERY_KEY' // text that is no recovery key
  | 'ERR_LUKS_FAILED'; // anything else; see `errno`

const kinds: ErrorKinds<LuksErrorCode> = {
  ERR_LUKS_KEY_REJECTED: 'refused',
  ERR_LUKS_NOT_LUKS: 'refused',
  ERR_LUKS_VERSION: 'unsupported',
  ERR_LUKS_DAMAGED: 'damaged',
  ERR_LUKS_EXISTS: 'exists',
  ERR_LUKS_BUSY: 'busy',
  ERR_LUKS_HELD: 'unavailable',
  ERR_LUKS_NOT_FOUND: 'not-found',
  ERR_LUKS_UNSUPPORTED: 'unsupported',
  ERR_LUKS_LAST_KEYSLOT: 'refused',
  ERR_LUKS_FULL: 'exhausted',
  ERR_LUKS_MISMATCH: 'refused',
  ERR_LUKS_BACKUP: 'invalid',
  ERR_LUKS_MEMORY: 'exhausted',
  ERR_LUKS_RECOVERY_KEY: 'invalid',
  ERR_LUKS_FAILED: 'internal',
};

/** A LUKS operation that did not succeed: what, on which device, and what the library or the kernel said. */
export class LuksError extends CodedError<LuksErrorCode> {
  /** The device, or the mapped name where there is no device. */
  readonly device: string;
  /** Name of the errno, `EINVAL`; empty when no call was made. */
  readonly errno: string;

  constructor(code: LuksErrorCode, device: string, errno: string, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.device = device;
    this.errno = errno;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'LuksError'; // inherited and not enumerable, as in the language's own errors
  }
}

const { errno } = constants;

/** The code of a negative status that means the same for every function of the library. */
function codeOfStatus(status: number): LuksErrorCode {
  switch (-status) {
    case errno.EBUSY:
    case errno.EEXIST:
      return 'ERR_LUKS_BUSY';
    case errno.ENODEV:
    case errno.ENOENT:
      return 'ERR_LUKS_NOT_FOUND';
    case errno.ENOTSUP:
      return 'ERR_LUKS_UNSUPPORTED';
    case errno.ENOMEM:
      return 'ERR_LUKS_MEMORY';
    case errno.ENOSPC:
      return 'ERR_LUKS_FULL';
    default:
      return 'ERR_LUKS_FAILED';
  }
}

/**
 * The error of a library call. `detail` is the library's own last message; it goes to `cause`, for people only.
 * `codes` holds what a status means for this function in particular.
 */
export function callFailed(
  call: string,
  device: string,
  status: number,
  detail?: string,
  codes: Readonly<Record<number, LuksErrorCode>> = {},
): LuksError {
  const code = codes[-status] ?? codeOfStatus(status);
  const options = detail === undefined ? undefined : { cause: new Error(detail) };
  const name = errnoName(status);
  return new LuksError(code, device, name, `${call} on ${device}: ${name}`, options);
}

/** A header whose checksums are right, so no crash and no bad sector made it, and that the library does not load. */
export function refusedWhole(device: string, reason: string, options?: ErrorOptions): LuksError {
  const message = `${device}: the library refuses a header that is whole: ${reason}`;
  return new LuksError('ERR_LUKS_UNSUPPORTED', device, 'EINVAL', message, options);
}

/** A parameter or header that is refused before anything was called. */
export function unsupported(device: string, what: string): LuksError {
  return new LuksError('ERR_LUKS_UNSUPPORTED', device, '', `${device}: ${what}`);
}

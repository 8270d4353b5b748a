import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type TrimErrorCode =
  | 'ERR_TRIM_NOT_MOUNTED' // nothing, or something else, is mounted there now
  | 'ERR_TRIM_UNSUPPORTED' // the filesystem or what is below it can't discard
  | 'ERR_TRIM_READ_ONLY' // the filesystem does not write, and so does not discard
  | 'ERR_TRIM_DENIED' // needs CAP_SYS_ADMIN
  | 'ERR_TRIM_DEVICE' // the device failed a discard
  | 'ERR_TRIM_FAILED'; // anything else; see `errno`

const kinds: ErrorKinds<TrimErrorCode> = {
  ERR_TRIM_NOT_MOUNTED: 'refused',
  ERR_TRIM_UNSUPPORTED: 'unsupported',
  ERR_TRIM_READ_ONLY: 'refused',
  ERR_TRIM_DENIED: 'denied',
  ERR_TRIM_DEVICE: 'internal',
  ERR_TRIM_FAILED: 'internal',
};

/** Who can end an error: time, an operator, or nobody but a new program. */
export type Permanence = 'transient' | 'needs-operator' | 'fatal';

/** A trim that could not begin or go on. What was discarded before it stays discarded. */
export class TrimError extends CodedError<TrimErrorCode> {
  /** The mount point. */
  readonly target: string;
  readonly errno: string;
  readonly permanence: Permanence;

  constructor(code: TrimErrorCode, target: string, message: string, options: TrimErrorOptions = {}) {
    super(code, `trim of ${target}: ${message}`, options);
    const { errno = '', permanence = permanences[code] } = options;
    this.target = target;
    this.errno = errno;
    this.permanence = permanence;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'TrimError';
  }
}

export type TrimErrorOptions = ErrorOptions & { readonly errno?: string; readonly permanence?: Permanence };

const permanences: Readonly<Record<TrimErrorCode, Permanence>> = {
  ERR_TRIM_NOT_MOUNTED: 'transient',
  ERR_TRIM_UNSUPPORTED: 'needs-operator',
  ERR_TRIM_READ_ONLY: 'needs-operator',
  ERR_TRIM_DENIED: 'needs-operator',
  ERR_TRIM_DEVICE: 'transient',
  ERR_TRIM_FAILED: 'fatal',
};

const codes: Readonly<Record<string, TrimErrorCode>> = {
  EOPNOTSUPP: 'ERR_TRIM_UNSUPPORTED',
  ENOTTY: 'ERR_TRIM_UNSUPPORTED',
  EROFS: 'ERR_TRIM_READ_ONLY',
  EPERM: 'ERR_TRIM_DENIED',
  EACCES: 'ERR_TRIM_DENIED',
  ENOENT: 'ERR_TRIM_NOT_MOUNTED',
  ENOTDIR: 'ERR_TRIM_NOT_MOUNTED',
  EIO: 'ERR_TRIM_DEVICE',
  EREMOTEIO: 'ERR_TRIM_DEVICE', // how SCSI says that the target refused
  ETIMEDOUT: 'ERR_TRIM_DEVICE',
};

/** Of what has no code of its own: a filesystem that found itself damaged needs a check, memory comes back. */
const otherPermanences: Readonly<Record<string, Permanence>> = {
  EUCLEAN: 'needs-operator',
  EAGAIN: 'transient',
  EBUSY: 'transient',
  EINTR: 'transient',
  ENOMEM: 'transient',
};

/** A failed system call as a {@link TrimError}. */
export function trimError(target: string, call: string, errno: string, cause?: unknown): TrimError {
  const code = codes[errno] ?? 'ERR_TRIM_FAILED';
  const permanence = otherPermanences[errno];
  return new TrimError(code, target, `${call}: ${errno}`, {
    errno,
    cause,
    ...(permanence === undefined ? {} : { permanence }),
  });
}

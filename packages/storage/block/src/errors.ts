import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type BlockErrorCode =
  | 'ERR_BLOCK_NOT_EMPTY' // the device holds, or may hold, something; see `reasons`
  | 'ERR_BLOCK_UNPROVEN' // nothing was found on the device, and there was no time to look everywhere; see `reasons`
  | 'ERR_BLOCK_FOREIGN_TABLE' // a partition table that is not ours to change: MBR, damaged, or unknown
  | 'ERR_BLOCK_TABLE_DAMAGED' // the two copies of a partition table are not both valid and equal; see `reasons`
  | 'ERR_BLOCK_NO_SPACE' // no free range is large enough
  | 'ERR_BLOCK_BUSY' // mounted, held, or locked by somebody else
  | 'ERR_BLOCK_UNRESPONSIVE' // a call on the device did not return before its deadline
  | 'ERR_BLOCK_DAMAGED' // a filesystem that the kernel refuses, or that its repair program gives up; see `reasons`
  | 'ERR_BLOCK_NOT_WIPED' // the device took the writes, and holds something else: it does not do what it says
  | 'ERR_BLOCK_NO_ZEROES' // what it discards may read as anything
  | 'ERR_BLOCK_NOT_FOUND' // no such device, partition or mount
  | 'ERR_BLOCK_WATCH_FAILED' // the kernel's change notifications broke off: what was read before may be stale
  | 'ERR_BLOCK_FAILED'; // anything else; see `errno`

const kinds: ErrorKinds<BlockErrorCode> = {
  ERR_BLOCK_NOT_EMPTY: 'refused',
  ERR_BLOCK_UNPROVEN: 'timeout',
  ERR_BLOCK_FOREIGN_TABLE: 'refused',
  ERR_BLOCK_TABLE_DAMAGED: 'damaged',
  ERR_BLOCK_NO_SPACE: 'exhausted',
  ERR_BLOCK_BUSY: 'busy',
  ERR_BLOCK_UNRESPONSIVE: 'timeout',
  ERR_BLOCK_DAMAGED: 'damaged',
  ERR_BLOCK_NOT_WIPED: 'damaged',
  ERR_BLOCK_NO_ZEROES: 'unsupported',
  ERR_BLOCK_NOT_FOUND: 'not-found',
  ERR_BLOCK_WATCH_FAILED: 'unavailable',
  ERR_BLOCK_FAILED: 'internal',
};

export type BlockErrorOptions = ErrorOptions & {
  /** The errno's name, `''` when no system call failed. */
  readonly errno?: string;
  /** One sentence per finding that forbade the action. */
  readonly reasons?: readonly string[];
};

/** What went wrong with which block device. */
export class BlockError extends CodedError<BlockErrorCode> {
  /** The device, file or mount point the action was about. */
  readonly device: string;
  readonly errno: string;
  readonly reasons: readonly string[];

  constructor(code: BlockErrorCode, device: string, message: string, options: BlockErrorOptions = {}) {
    const { errno = '', reasons = [], ...rest } = options;
    super(code, message, rest);
    this.device = device;
    this.errno = errno;
    this.reasons = reasons;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'BlockError';
  }
}

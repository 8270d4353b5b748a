import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type CgroupErrorCode =
  | 'ERR_CGROUP_VERSION' // no cgroup v2 here; the message says what was found
  | 'ERR_CGROUP_NOT_FOUND' // no such cgroup, or it is gone
  | 'ERR_CGROUP_DENIED' // the kernel refuses: missing privileges, or a window that only CAP_SYS_RESOURCE may ask for
  | 'ERR_CGROUP_PRESSURE_OFF' // the kernel does not account pressure: psi=1 on its command line, or cgroup.pressure
  | 'ERR_CGROUP_OPTION' // a value that can't be
  | 'ERR_CGROUP_UNVERIFIED' // the kernel took it, and reading back shows something else
  | 'ERR_CGROUP_FAILED'; // anything else; see the cause

const kinds: ErrorKinds<CgroupErrorCode> = {
  ERR_CGROUP_VERSION: 'unsupported',
  ERR_CGROUP_NOT_FOUND: 'not-found',
  ERR_CGROUP_DENIED: 'denied',
  ERR_CGROUP_PRESSURE_OFF: 'refused',
  ERR_CGROUP_OPTION: 'invalid',
  ERR_CGROUP_UNVERIFIED: 'internal',
  ERR_CGROUP_FAILED: 'internal',
};

/** Something about a cgroup or a pressure file. */
export class CgroupError extends CodedError<CgroupErrorCode> {
  /** Path of the cgroup or of the file. */
  readonly path: string;

  constructor(code: CgroupErrorCode, path: string, message: string, options: { cause?: unknown } = {}) {
    super(code, `cgroup ${path}: ${message}`, options);
    this.path = path;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'CgroupError';
  }
}

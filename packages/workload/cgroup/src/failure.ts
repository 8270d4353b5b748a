import { NativeError } from '@nodecore/native';
import { codeOf } from '@nodecore/sys';

import { CgroupError, type CgroupErrorCode } from './errors.ts';

const codes: Readonly<Record<string, CgroupErrorCode>> = {
  ENOENT: 'ERR_CGROUP_NOT_FOUND',
  ENODEV: 'ERR_CGROUP_NOT_FOUND',
  ENOTDIR: 'ERR_CGROUP_NOT_FOUND',
  EACCES: 'ERR_CGROUP_DENIED',
  EPERM: 'ERR_CGROUP_DENIED',
  // One number, two names.
  EOPNOTSUPP: 'ERR_CGROUP_PRESSURE_OFF',
  ENOTSUP: 'ERR_CGROUP_PRESSURE_OFF',
};

/** The errno's name of a failed system call, ours or Node's. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof NativeError ? error.errno : codeOf(error);
}

/** A failed system call in this package's words; anything else as it is. */
export function translate(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (errno === undefined || errno === '' || error instanceof CgroupError) return error;
  const call = error instanceof NativeError ? error.syscall : (error as { syscall?: string }).syscall;
  const what = [call, errno].filter(Boolean).join(': ');
  return new CgroupError(codes[errno] ?? 'ERR_CGROUP_FAILED', path, what, { cause: error });
}

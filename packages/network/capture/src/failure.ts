import { NativeError } from '@nodecore/native';

import { CaptureError, type CaptureErrorCode } from './errors.ts';
import { interfaces } from './interfaces.ts';

/** The calls that a filter or a file fails at; everything else is the interface's or the system's. */
const byCall: Readonly<Record<string, Readonly<Record<string, CaptureErrorCode>>>> = {
  SO_ATTACH_FILTER: { EINVAL: 'ERR_CAPTURE_FILTER' },
  open: { EEXIST: 'ERR_CAPTURE_EXISTS' },
  bind: { ENODEV: 'ERR_CAPTURE_INTERFACE_DOWN' },
  recv: { ENETDOWN: 'ERR_CAPTURE_INTERFACE_DOWN', ENODEV: 'ERR_CAPTURE_INTERFACE_DOWN' },
};
const denied = new Set(['EPERM', 'EACCES']);

/** Advice after the system's own words. */
const advice: Partial<Record<CaptureErrorCode, string>> = {
  ERR_CAPTURE_DENIED: 'packet sockets need CAP_NET_RAW',
  ERR_CAPTURE_EXISTS: 'a capture never writes over a file: choose another name',
  ERR_CAPTURE_INTERFACE_DOWN: 'the interface went down or away',
  ERR_CAPTURE_FILTER: 'the kernel refuses the filter',
};

/** What a failure of the addon means for a capture; anything that is not one stays as it is. */
export function captureFailure(cause: unknown, on: string): unknown {
  if (!(cause instanceof NativeError) || cause.code !== 'ERR_NATIVE_SYSTEM_CALL') return cause;
  const { syscall, errno } = cause;
  const code = codeOf(syscall, errno);
  const available = code === 'ERR_CAPTURE_INTERFACE_DOWN' ? interfaces().map((one) => one.name) : [];
  const left = available.length === 0 ? '' : `there are ${available.join(', ')}`;
  const words = [`${on}: ${syscall}: ${errno}`, advice[code] ?? '', left].filter((part) => part !== '');
  return new CaptureError(code, words.join('; '), { cause, available });
}

/** Why one interface of several gave no more packets. Unlike the last one's, it ends nothing. */
export function goneFailure(cause: NativeError, name: string): CaptureError {
  const message = `${name}: ${cause.syscall}: ${cause.errno}; ${advice.ERR_CAPTURE_INTERFACE_DOWN}`;
  return new CaptureError('ERR_CAPTURE_INTERFACE_DOWN', message, { cause });
}

function codeOf(syscall: string, errno: string): CaptureErrorCode {
  const known = byCall[syscall]?.[errno];
  if (known !== undefined) return known;
  if (denied.has(errno) && syscall !== 'open') return 'ERR_CAPTURE_DENIED';
  return syscall === 'open' || syscall === 'write' ? 'ERR_CAPTURE_DISK' : 'ERR_CAPTURE_FAILED';
}

/**
 * The swap system calls as glibc has them, and the constants that go with them. No logic here.
 *
 * Each runs on a pool thread and can't be interrupted. A negative result is a failure, for which `errno` says why.
 */
import { lazy, loadLibrary, type WithErrno, withErrno } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));

/**
 * Discards on a device that can: the whole area at {@link swapon}, and pages that become free, unless another flag limits
 * that.
 */
export const SWAP_FLAG_DISCARD = 0x10000;
/** Limits SWAP_FLAG_DISCARD to the one discard of the whole area at {@link swapon}. */
export const SWAP_FLAG_DISCARD_ONCE = 0x20000;

const bound = {
  swapon: lazy(() => libc().func('int swapon(const char *path, int flags)')),
  swapoff: lazy(() => libc().func('int swapoff(const char *path)')),
};

type Result = Promise<WithErrno<number>>;

/**
 * Needs CAP_SYS_ADMIN. EINVAL without a valid swap signature, EBUSY when the device is in use. A discard of the whole area
 * blocks the call.
 */
export function swapon(path: string, flags: number): Result {
  return withErrno<number>((done) => bound.swapon().async(path, flags, done));
}

/**
 * Reads every page in use back into memory, and blocks as long. Needs CAP_SYS_ADMIN. ENOMEM when they don't fit, EINVAL when
 * it is not swap space in use.
 */
export function swapoff(path: string): Result {
  return withErrno<number>((done) => bound.swapoff().async(path, done));
}

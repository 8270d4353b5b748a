/** The swap system calls as glibc has them, and the constants that go with them. No logic here. */
import { lazy, loadLibrary, type WithErrno, withErrno } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));

export const SWAP_FLAG_DISCARD = 0x10000;
export const SWAP_FLAG_DISCARD_ONCE = 0x20000;

const bound = {
  swapon: lazy(() => libc().func('int swapon(const char *path, int flags)')),
  swapoff: lazy(() => libc().func('int swapoff(const char *path)')),
};

type Result = Promise<WithErrno<number>>;

export function swapon(path: string, flags: number): Result {
  return withErrno<number>((done) => bound.swapon().async(path, flags, done));
}

export function swapoff(path: string): Result {
  return withErrno<number>((done) => bound.swapoff().async(path, done));
}

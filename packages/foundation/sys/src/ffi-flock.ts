/** flock(2) and the constants that go with it. No logic here. */
import { loadLibrary, type WithErrno, withErrno } from './ffi.ts';
import { lazy } from './library.ts';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
const bound = lazy(() => libc().func('int flock(int fd, int operation)'));

/** Exclusive: one open file description has the lock (asm-generic/fcntl.h). */
export const LOCK_EX = 2;
/** Added to an operation: EWOULDBLOCK where the call would wait for another lock. */
export const LOCK_NB = 4;

/**
 * Locks the open file description of `fd` on a pool thread, which waits without LOCK_NB, beyond any cancellation. The lock ends
 * when the last copy of the descriptor is closed. A refusal is result -1 with its errno; nothing is thrown for it.
 */
export function flock(fd: number, operation: number): Promise<WithErrno<number>> {
  return withErrno<number>((done) => bound().async(fd, operation, done));
}

/** flock(2) and the constants that go with it. No logic here. */
import { loadLibrary, type WithErrno, withErrno } from './ffi.ts';
import { lazy } from './library.ts';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
const bound = lazy(() => libc().func('int flock(int fd, int operation)'));

export const LOCK_EX = 2;
export const LOCK_NB = 4;

export function flock(fd: number, operation: number): Promise<WithErrno<number>> {
  return withErrno<number>((done) => bound().async(fd, operation, done));
}

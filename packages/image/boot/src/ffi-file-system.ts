/** syncfs(2) and posix_fadvise(3), which Node does not have. No logic here. */
import { lazy, loadLibrary, type WithErrno, withErrno } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
const bound = {
  syncfs: lazy(() => libc().func('int syncfs(int fd)')),
  fadvise: lazy(() => libc().func('int posix_fadvise(int fd, int64_t offset, int64_t length, int advice)')),
};

const POSIX_FADV_DONTNEED = 4;

/** Everything of the file system of `fd` to the disk; a failure is result -1 with its errno. */
export function syncfs(fd: number): Promise<WithErrno<number>> {
  return withErrno<number>((done) => bound.syncfs().async(fd, done));
}

/** Takes the clean pages of a file out of memory: what is read next comes from the disk. Only advice: errors don't matter. */
export function dropCache(fd: number): Promise<WithErrno<number>> {
  return withErrno<number>((done) => bound.fadvise().async(fd, 0, 0, POSIX_FADV_DONTNEED, done));
}

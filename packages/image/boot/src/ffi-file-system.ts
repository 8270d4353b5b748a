/** syncfs(2), sync_file_range(2) and posix_fadvise(3), which Node does not have. No logic here. */
import { lazy, loadLibrary, type WithErrno, withErrno } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
const bound = {
  syncfs: lazy(() => libc().func('int syncfs(int fd)')),
  syncFileRange: lazy(() =>
    libc().func('int sync_file_range(int fd, int64_t offset, int64_t length, unsigned int flags)'),
  ),
  fadvise: lazy(() => libc().func('int posix_fadvise(int fd, int64_t offset, int64_t length, int advice)')),
};

const SYNC_FILE_RANGE_WRITE = 2;
const POSIX_FADV_WILLNEED = 3;
const POSIX_FADV_DONTNEED = 4;

/** Everything of the file system of `fd` to the disk; a failure is result -1 with its errno. */
export function syncfs(fd: number): Promise<WithErrno<number>> {
  return withErrno<number>((done) => bound.syncfs().async(fd, done));
}

/** Has the disk begin to write these bytes of a file. It promises nothing: what is to be there needs a sync all the same. */
export function beginWriting(fd: number, offset: number, length: number): Promise<WithErrno<number>> {
  return withErrno<number>((done) =>
    bound.syncFileRange().async(fd, offset, length, SYNC_FILE_RANGE_WRITE, done),
  );
}

/** Has the disk begin to read these bytes of a file. Only advice: errors don't matter. */
export function beginReading(fd: number, offset: number, length: number): Promise<WithErrno<number>> {
  return withErrno<number>((done) => bound.fadvise().async(fd, offset, length, POSIX_FADV_WILLNEED, done));
}

/** Takes the clean pages of a file out of memory: what is read next comes from the disk. Only advice: errors don't matter. */
export function dropCache(fd: number): Promise<WithErrno<number>> {
  return withErrno<number>((done) => bound.fadvise().async(fd, 0, 0, POSIX_FADV_DONTNEED, done));
}

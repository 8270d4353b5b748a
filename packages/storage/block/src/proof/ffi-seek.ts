/** lseek(2) and the constants that go with it. No logic here. */
import { lazy, loadLibrary, type WithErrno, withErrno } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
const bound = lazy(() => libc().func('int64_t lseek64(int fd, int64_t offset, int whence)'));

/** Seeks the next byte with data at or after the offset. ENXIO when only a hole follows. */
export const SEEK_DATA = 3;
/** Seeks the next hole at or after the offset; the end of the file counts as one. */
export const SEEK_HOLE = 4;

/** koffi gives a number while that is exact, else a bigint. */
export function lseek(fd: number, offset: bigint, whence: number): Promise<WithErrno<number | bigint>> {
  return withErrno<number | bigint>((done) => bound().async(fd, offset, whence, done));
}

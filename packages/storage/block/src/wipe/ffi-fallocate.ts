/** fallocate(2) and the flags that go with it. No logic here. */
import { lazy, loadLibrary, type WithErrno, withErrno } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
const bound = lazy(() => libc().func('int fallocate(int fd, int mode, int64_t offset, int64_t length)'));

/** The size of the file stays. The kernel refuses FALLOC_FL_PUNCH_HOLE without it. */
export const FALLOC_FL_KEEP_SIZE = 1;
/** The range reads as zeros after it, and a filesystem or device frees its space. */
export const FALLOC_FL_PUNCH_HOLE = 2;

/**
 * Offset and length are bytes; on a block device, multiples of its logical sector, else EINVAL. EOPNOTSUPP where the device
 * or filesystem lacks the mode. Blocks a pool thread.
 */
export function fallocate(
  fd: number,
  mode: number,
  offset: bigint,
  length: bigint,
): Promise<WithErrno<number>> {
  return withErrno<number>((done) => bound().async(fd, mode, offset, length, done));
}

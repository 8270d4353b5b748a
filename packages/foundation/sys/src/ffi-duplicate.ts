/** fcntl(2), for a second descriptor of what is open. */
import { loadLibrary, withErrno } from './ffi.ts';
import { SystemCallError } from './ioctl.ts';
import { lazy } from './library.ts';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
/** C declares it variadic; the command decides on the type of the argument. */
const bound = lazy(() => libc().func('int fcntl(int fd, int command, int argument)'));

/** F_DUPFD_CLOEXEC (linux/fcntl.h): programs that are started do not inherit the copy. */
const duplicateForUs = 1030;

/**
 * A second descriptor of the same open file or socket, which the caller closes.
 *
 * @throws {SystemCallError} EMFILE above all.
 */
export async function duplicate(fd: number): Promise<number> {
  const { result, errno } = await withErrno<number>((done) => bound().async(fd, duplicateForUs, 0, done));
  if (result < 0) throw new SystemCallError('fcntl', `descriptor ${fd}`, errno);
  return result;
}

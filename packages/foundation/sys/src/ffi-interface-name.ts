/** The name of a network interface. No logic beyond the layout of one structure. */
import { close } from 'node:fs';
import { promisify } from 'node:util';

import { loadLibrary, withErrno } from './ffi.ts';
import { ioctl, SystemCallError } from './ioctl.ts';
import { lazy } from './library.ts';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
const socket = lazy(() => libc().func('int socket(int domain, int type, int protocol)'));

/** linux/socket.h, asm-generic/socket.h: AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC. */
const [AF_UNIX, SOCK_DGRAM_CLOEXEC] = [1, 0o2000002];
/** linux/sockios.h; `struct ifreq` has two names of 16 bytes in 40. */
const SIOCSIFNAME = 0x8923;
const [nameBytes, requestBytes] = [16, 40];

/**
 * Gives an interface another name. Needs CAP_NET_ADMIN.
 *
 * @param name both names have at most 15 bytes. @throws {SystemCallError} `EBUSY` while it is up, before Linux 6.2; `EEXIST`; `ENODEV`.
 */
export async function renameInterface(name: string, next: string): Promise<void> {
  const request = Buffer.alloc(requestBytes);
  request.write(name, 0, nameBytes - 1);
  request.write(next, nameBytes, nameBytes - 1);
  const { result: fd, errno } = await withErrno<number>((done) =>
    socket().async(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0, done),
  );
  if (fd < 0) throw new SystemCallError('socket', name, errno);
  try {
    await ioctl({ fd, path: name, name: 'SIOCSIFNAME' }, SIOCSIFNAME, request);
  } finally {
    await promisify(close)(fd);
  }
}

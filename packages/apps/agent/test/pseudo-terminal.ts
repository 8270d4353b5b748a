import { closeSync } from 'node:fs';
import { open } from 'node:fs/promises';

import { ioctl, loadLibrary } from '@nodecore/sys';
import type { ExecutionContext } from 'ava';

/** asm-generic/ioctls.h, fcntl.h */
const [TIOCSWINSZ, O_RDWR, O_NOCTTY, O_NONBLOCK] = [0x54_14, 2, 0o400, 0o4000];

/** A terminal of so many columns and rows, with what it shows as bytes at the other end, which nobody waits for. */
export async function pseudoTerminal(t: ExecutionContext, columns: number, rows: number) {
  const libc = loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' });
  const fd = Number(libc.func('int posix_openpt(int flags)')(O_RDWR | O_NOCTTY | O_NONBLOCK));
  let isOpen = true;
  const unplug = (): void => {
    if (isOpen) closeSync(fd);
    isOpen = false;
  };
  t.teardown(unplug);
  if (libc.func('int grantpt(int fd)')(fd) !== 0 || libc.func('int unlockpt(int fd)')(fd) !== 0)
    throw new Error('no pseudo-terminal');
  const path = String(libc.func('const char *ptsname(int fd)')(fd));
  const size = Buffer.alloc(8);
  size.writeUInt16LE(rows, 0);
  size.writeUInt16LE(columns, 2);
  await ioctl({ fd, path, name: 'TIOCSWINSZ' }, TIOCSWINSZ, size);
  // Kept open: what is written after the last one has closed it is gone.
  const held = await open(path, O_RDWR | O_NOCTTY);
  t.teardown(() => held.close());
  return { fd, path, unplug };
}

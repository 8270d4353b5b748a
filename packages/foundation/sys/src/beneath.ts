import { close, constants, fstat, open, read, write } from 'node:fs';
import { constants as system } from 'node:os';
import { promisify } from 'node:util';

import { openat2Async, RESOLVE_BENEATH, RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS } from './ffi-openat2.ts';
import { SystemCallError } from './ioctl.ts';

const opens = promisify(open);
const closes = promisify(close);
const reads = promisify(read);
const writes = promisify(write);
const stats = promisify(fstat);

const { errno: errnos } = system;

/** fcntl.h; Node.js has no name for it. */
const O_CLOEXEC = 0o2000000;

/** Files of the kernel are a page at most, but for a few tables. */
const mostBytes = 64 * 1024;

export type BeneathOptions = {
  /** Symbolic links that stay below are followed; without it any link is refused with `ELOOP`. */
  readonly followLinks?: boolean;
};

/**
 * Files below one directory, by names that may come from a user: openat2(2) resolves them, and refuses with `EXDEV` what leads
 * outside, also by a link that somebody makes in between. For `/proc/sys`, `/sys` and their likes.
 *
 * Every call throws {@link SystemCallError} with the errno of the kernel.
 */
export class Beneath {
  readonly directory: string;
  readonly #resolve: number;

  constructor(directory: string, { followLinks = false }: BeneathOptions = {}) {
    this.directory = directory;
    this.#resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (followLinks ? 0 : RESOLVE_NO_SYMLINKS);
  }

  /** The text of a regular file, 64 KiB at most. */
  async read(path: string): Promise<string> {
    return await this.#withFile(path, constants.O_RDONLY, async (fd) => {
      const bytes = Buffer.alloc(mostBytes);
      let length = 0;
      for (;;) {
        const { bytesRead } = await reads(fd, bytes, length, bytes.length - length, null);
        length += bytesRead;
        if (bytesRead === 0 || length === bytes.length) return bytes.toString('utf8', 0, length);
      }
    });
  }

  /** Writes in one call of write(2), as files of the kernel want it, to a regular file that is there. Nothing is cut off. */
  async write(path: string, text: string): Promise<void> {
    await this.#withFile(path, constants.O_WRONLY, async (fd) => {
      const bytes = Buffer.from(text);
      const { bytesWritten } = await writes(fd, bytes, 0, bytes.length, null);
      if (bytesWritten !== bytes.length) throw new SystemCallError('write', this.#name(path), errnos.EIO);
    });
  }

  async #withFile<T>(path: string, flags: number, use: (fd: number) => Promise<T>): Promise<T> {
    const fd = await this.#open(path, flags);
    try {
      if (!(await stats(fd)).isFile()) throw new SystemCallError('open', this.#name(path), errnos.EINVAL);
      return await use(fd);
    } catch (error) {
      if (error instanceof SystemCallError) throw error;
      const { errno, syscall = 'read' } = error as NodeJS.ErrnoException;
      if (errno === undefined) throw error;
      throw new SystemCallError(syscall, this.#name(path), errno);
    } finally {
      await closes(fd);
    }
  }

  async #open(path: string, flags: number): Promise<number> {
    if (path.includes('\0')) throw new SystemCallError('open', this.#name(path), errnos.EINVAL);
    const directory = await opens(this.directory, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      const how = { flags: flags | O_CLOEXEC | constants.O_NONBLOCK, mode: 0, resolve: this.#resolve };
      const { result, errno } = await openat2Async(directory, path, how);
      if (result < 0) throw new SystemCallError('open', this.#name(path), errno);
      return result;
    } finally {
      await closes(directory);
    }
  }

  #name(path: string): string {
    return `${this.directory}/${path}`;
  }
}

import { closeSync, constants, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isatty, ReadStream } from 'node:tty';

import type { Size } from '@nodecore/api/dashboard';
import { codeOf, ioctl } from '@nodecore/sys';

/** asm-generic/ioctls.h */
const TIOCGWINSZ = 0x54_13;
const TIOCLINUX = 0x54_1c;
/** linux/tiocl.h: messages of the kernel go to this virtual terminal, whichever is shown. */
const TIOCL_SETKMSGREDIRECT = 11;

const defaultSize: Size = { width: 80, height: 25 };

export type TerminalEvents = {
  readonly onBytes: (bytes: Uint8Array) => void;
  /** Nothing more will be typed: somebody has unplugged it. */
  readonly onLost: () => void;
};

const { O_RDONLY, O_WRONLY, O_NOCTTY, O_NONBLOCK, O_NOFOLLOW } = constants;
/** It becomes nobody's controlling terminal, and nobody waits for it. */
const careful = O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;

/** A terminal of the machine, on which nobody has logged in. */
export class Terminal implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #path: string;

  private constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** @throws {Error} `ENOENT` and its like where there is none. */
  static async open(path: string): Promise<Terminal> {
    return new Terminal(await open(path, O_WRONLY | careful), path);
  }

  /** How much it holds; 80 × 25 where it does not say. */
  async size(): Promise<Size> {
    const bytes = Buffer.alloc(8);
    try {
      await ioctl({ fd: this.#file.fd, path: this.#path, name: 'TIOCGWINSZ' }, TIOCGWINSZ, bytes);
    } catch {
      return defaultSize; // it is no terminal
    }
    const [rows, columns] = [bytes.readUInt16LE(0), bytes.readUInt16LE(2)];
    return rows > 0 && columns > 0 ? { width: columns, height: rows } : defaultSize;
  }

  /** Has the kernel's messages go to the first terminal, also while another one is shown. Needs CAP_SYS_ADMIN. */
  async keepKernelOnFirst(): Promise<void> {
    const argument = Uint8Array.of(TIOCL_SETKMSGREDIRECT, 1);
    await ioctl({ fd: this.#file.fd, path: this.#path, name: 'TIOCL_SETKMSGREDIRECT' }, TIOCLINUX, argument);
  }

  /** Tells what is typed, byte by byte and without an echo, until it is disposed of. What is no terminal has nobody who types. */
  listen({ onBytes, onLost }: TerminalEvents): Disposable {
    const fd = openSync(this.#path, O_RDONLY | careful);
    if (!isatty(fd)) {
      closeSync(fd);
      return { [Symbol.dispose]: () => {} };
    }
    const input = new ReadStream(fd);
    input.on('data', onBytes).on('end', onLost).on('error', onLost);
    input.setRawMode(true);
    return {
      [Symbol.dispose]: () => {
        input.off('data', onBytes).off('end', onLost);
        input.destroy();
      },
    };
  }

  /** @returns whether it took the text; somebody may have stopped it with Ctrl-S. */
  async write(text: string): Promise<boolean> {
    const bytes = Buffer.from(text);
    try {
      const { bytesWritten } = await this.#file.write(bytes);
      return bytesWritten === bytes.length;
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return false;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

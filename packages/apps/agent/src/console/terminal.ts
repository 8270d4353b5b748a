import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { codeOf, ioctl } from '@nodecore/sys';

import type { PageSize } from './status-page.ts';

/** asm-generic/ioctls.h */
const TIOCGWINSZ = 0x54_13;
const TIOCLINUX = 0x54_1c;
/** linux/tiocl.h: messages of the kernel go to this virtual terminal, whichever is shown. */
const TIOCL_SETKMSGREDIRECT = 11;

const defaultSize: PageSize = { columns: 80, rows: 25 };

/** A terminal that is written on, and never read or waited for. */
export class Terminal implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #path: string;

  private constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** It becomes nobody's controlling terminal. @throws {Error} `ENOENT` and its like where there is none. */
  static async open(path: string): Promise<Terminal> {
    const { O_WRONLY, O_NOCTTY, O_NONBLOCK, O_NOFOLLOW } = constants;
    return new Terminal(await open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW), path);
  }

  /** How much it holds; 80 × 25 where it does not say. */
  async size(): Promise<PageSize> {
    const bytes = Buffer.alloc(8);
    try {
      await ioctl({ fd: this.#file.fd, path: this.#path, name: 'TIOCGWINSZ' }, TIOCGWINSZ, bytes);
    } catch {
      return defaultSize; // it is no terminal
    }
    const [rows, columns] = [bytes.readUInt16LE(0), bytes.readUInt16LE(2)];
    return rows > 0 && columns > 0 ? { columns, rows } : defaultSize;
  }

  /** Has the kernel's messages go to the first terminal, also while another one is shown. Needs CAP_SYS_ADMIN. */
  async keepKernelOnFirst(): Promise<void> {
    const argument = Uint8Array.of(TIOCL_SETKMSGREDIRECT, 1);
    await ioctl({ fd: this.#file.fd, path: this.#path, name: 'TIOCL_SETKMSGREDIRECT' }, TIOCLINUX, argument);
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

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

import { UsageError, wordsOfErrno } from '@nodecore/cli';
import { codeOf } from '@nodecore/sys/pure';

/** The names of one capture's files: `a.pcap`, or `a-00000.pcap` and so on. */
export class FileNames {
  readonly #stem: string;
  readonly #suffix: string;
  readonly #numbered: boolean;

  /** @param node put into the name where there are several. */
  constructor(path: string, options: { readonly numbered: boolean; readonly node: string | undefined }) {
    this.#suffix = extname(path);
    const stem = path.slice(0, path.length - this.#suffix.length);
    const { node } = options;
    this.#stem = node === undefined ? stem : `${stem}-${node.replaceAll(/[^A-Za-z0-9._-]/g, '_')}`;
    this.#numbered = options.numbered;
  }

  at(index: number): string {
    const number = this.#numbered ? `-${String(index).padStart(5, '0')}` : '';
    return `${this.#stem}${number}${this.#suffix}`;
  }

  /**
   * Those that are there already, from another capture.
   *
   * @throws {UsageError} when the directory can't be read.
   */
  async present(): Promise<readonly string[]> {
    const directory = dirname(this.#stem);
    const names = await readdir(directory).catch((error: unknown) => {
      const code = codeOf(error);
      throw code === undefined
        ? error
        : new UsageError(`${directory}: ${wordsOfErrno(code)}; choose another -o`);
    });
    return names.filter((name) => this.#isOurs(name)).map((name) => join(directory, name));
  }

  #isOurs(name: string): boolean {
    if (!this.#numbered) return name === basename(this.at(0));
    const stem = `${basename(this.#stem)}-`;
    const number = name.slice(stem.length, name.length - this.#suffix.length);
    return name.startsWith(stem) && name.endsWith(this.#suffix) && /^\d{5,}$/.test(number);
  }
}

/** Whether a path is something that is written to as it is: a pipe, a device. */
export async function isSpecial(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isFIFO() || found.isCharacterDevice();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

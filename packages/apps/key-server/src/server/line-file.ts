import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';
import { Serial } from '@nodecore/waiting';

import { KeyServerError } from '../errors.ts';

/** Where lines go whose loss must show: `written` rejects when one could not be written. */
export type LineSink = {
  /** Takes a line, in the order of the calls. */
  write(line: string): void;
  /** Resolves when every line so far is with the kernel; rejects when one could not be written. */
  written(): Promise<void>;
  /** Goes on in a new file of the same name, after the old one was moved away. */
  reopen(): Promise<void>;
  close(): Promise<void>;
};

/** Appends lines to a file without waiting on the main thread; lines that come meanwhile are written together. */
export class LineFile implements LineSink {
  readonly #path: string;
  readonly #serial = new Serial();
  #file: FileHandle;
  #waiting: string[] = [];
  #batch: Promise<void> = Promise.resolve();
  /** The last write failed, perhaps in the middle of a line. */
  #torn = false;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** Creates the file with mode 0600 when there is none. */
  static async open(path: string): Promise<LineFile> {
    return new LineFile(path, await openToAppend(path));
  }

  write(line: string): void {
    this.#waiting.push(line);
    if (this.#waiting.length > 1) return; // the batch that takes them all has its turn yet
    this.#batch = this.#serial.run(() => this.#writeWaiting());
    this.#batch.catch(() => {}); // who relies on the lines asks for it with `written`
  }

  written(): Promise<void> {
    return this.#batch;
  }

  async reopen(): Promise<void> {
    await this.#serial.run(async () => {
      const next = await openToAppend(this.#path);
      const previous = this.#file;
      this.#file = next;
      this.#torn = false;
      await previous.close();
    });
  }

  async close(): Promise<void> {
    await this.#serial.run(() => this.#file.close());
  }

  async #writeWaiting(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    try {
      await this.#file.appendFile((this.#torn ? '\n' : '') + lines.join(''));
      this.#torn = false;
    } catch (error) {
      this.#torn = true;
      throw new KeyServerError('ERR_KMS_AUDIT', `${this.#path}: ${codeOf(error)}`, { cause: error });
    }
  }
}

const ignore = (): void => {};

/** Standard output, which a service manager collects. */
export class StandardOutput implements LineSink {
  #last: Promise<void> = Promise.resolve();

  constructor() {
    // Who waits for a line learns it from `written`. Without a listener a collector that restarts would end the server.
    process.stdout.on('error', ignore);
  }

  write(line: string): void {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    process.stdout.write(line, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(new KeyServerError('ERR_KMS_AUDIT', `standard output: ${codeOf(error)}`, { cause: error }));
    });
    promise.catch(() => {});
    this.#last = promise;
  }

  written(): Promise<void> {
    return this.#last;
  }

  reopen(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    process.stdout.off('error', ignore);
    return this.#last.catch(() => {});
  }
}

async function openToAppend(path: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: FileHandle;
  try {
    file = await open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    throw new KeyServerError('ERR_KMS_AUDIT', `${path}: ${codeOf(error)}`, { cause: error });
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new KeyServerError('ERR_KMS_AUDIT', `${path}: no regular file`);
}

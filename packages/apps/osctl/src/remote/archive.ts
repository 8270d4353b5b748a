import { type FileHandle, lstat } from 'node:fs/promises';

import { OutputError } from '@nodecore/cli';
import { codeOf, stageFile, type StagedFile } from '@nodecore/sys';

/** A file that has its name when all of it came. */
export class Archive implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #staged: Promise<StagedFile>;
  readonly #written: PromiseWithResolvers<void>;

  private constructor(file: FileHandle, staged: Promise<StagedFile>, written: PromiseWithResolvers<void>) {
    this.#file = file;
    this.#staged = staged;
    this.#written = written;
  }

  /**
   * @param isNew it takes the place of no other file
   * @throws {OutputError} for one that is there then, {Error} of the system, before anything is asked of the other computer.
   */
  static async begin(path: string, isNew = false): Promise<Archive> {
    if (isNew && (await isThere(path))) throw new OutputError(path, 'EEXIST');
    const opened = Promise.withResolvers<FileHandle>();
    const written = Promise.withResolvers<void>();
    const staged = stageFile(path, async (file) => {
      opened.resolve(file);
      await written.promise;
    });
    staged.catch(opened.reject);
    return new Archive(await opened.promise, staged, written);
  }

  async add(bytes: Uint8Array): Promise<void> {
    await this.#file.appendFile(bytes);
  }

  async finish(): Promise<void> {
    if ((await this.#file.stat()).size === 0) return;
    this.#written.resolve();
    await (await this.#staged).commit();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#written.reject(new Error('not all of it came'));
    const staged = await this.#staged.catch(() => undefined);
    await staged?.[Symbol.asyncDispose]();
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

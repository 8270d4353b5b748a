import { execFile } from 'node:child_process';
import { copyFile, type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { CrashState } from './crash-states.ts';
import type { WriteRecord } from './write-record.ts';

const run = promisify(execFile);

/**
 * Builds the device as each crash state leaves it, on files.
 *
 * The durable part is applied once to `working`, which moves forward only, so states must come with rising `durable`;
 * each state then gets a copy of its own, which a check may write to.
 */
export class CrashImages implements AsyncDisposable {
  readonly #record: WriteRecord;
  readonly #working: string;
  readonly #file: FileHandle;
  #applied = 0;

  private constructor(record: WriteRecord, working: string, file: FileHandle) {
    this.#record = record;
    this.#working = working;
    this.#file = file;
  }

  /** `base` is the device before the record begins; `working` is made from it, and stays when this closes. */
  static async open(
    record: WriteRecord,
    files: { readonly base: string; readonly working: string },
  ): Promise<CrashImages> {
    await copyFile(files.base, files.working);
    return new CrashImages(record, files.working, await open(files.working, 'r+'));
  }

  /** Writes the device in that state to `path`. */
  async build(state: CrashState, path: string): Promise<void> {
    if (state.durable < this.#applied) throw new TypeError(`${state.name} lies before what is applied`);
    for (; this.#applied < state.durable; this.#applied += 1) await this.#apply(this.#file, this.#applied);
    await run('cp', ['--sparse=always', this.#working, path]); // zeros, most of it, are not written
    if (state.also.length === 0) return;
    await using copy = await open(path, 'r+');
    for (const index of state.also) await this.#apply(copy, index);
  }

  async #apply(file: FileHandle, index: number): Promise<void> {
    const entry = this.#record.entries[index];
    if (entry === undefined) throw new TypeError(`the record has no entry ${index}`);
    if (entry.length === 0) return;
    await file.write(await this.#record.data(entry), 0, entry.length, entry.offset);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

import { open, rm, type FileHandle } from 'node:fs/promises';

import type { CaptureFormat } from '@nodecore/api/capture';
import { OutputError, UsageError } from '@nodecore/cli';
import { codeOf } from '@nodecore/sys/pure';

import { type FileNames, isSpecial } from './file-names.ts';
import type { Rotation } from './options.ts';
import type { Part } from './packet-call.ts';
import { fitting, sizeOf } from './records.ts';

/**
 * A capture in files that only their owner can read. They are written under their own names, whole records at a time, so
 * that others can read them while they grow; what breaks off is a capture up to there.
 */
export class FileOutput implements AsyncDisposable {
  readonly #names: FileNames;
  readonly #rotation: Rotation;
  readonly #special: boolean;
  readonly #kept: string[] = [];
  #header: Uint8Array = new Uint8Array();
  #file: FileHandle | undefined;
  #path = '';
  #next = 0;
  #sizeBytes = 0;

  private constructor(names: FileNames, rotation: Rotation, special: boolean) {
    this.#names = names;
    this.#rotation = rotation;
    this.#special = special;
  }

  /**
   * Looks whether there is room for the names; nothing is written yet.
   *
   * @throws {UsageError} for files that are there, unless they may go.
   */
  static async prepare(names: FileNames, rotation: Rotation, force: boolean): Promise<FileOutput> {
    const special = rotation === undefined && (await isSpecial(names.at(0)));
    const present = special ? [] : await names.present();
    const [first] = present;
    if (first !== undefined && !force)
      throw new UsageError(`${first} is there already; choose another -o, or replace it with --force`);
    const output = new FileOutput(names, rotation, special);
    output.#kept.push(...present.toSorted()); // replaced once the capture runs
    return output;
  }

  async write({ kind, bytes }: Part, format: CaptureFormat): Promise<void> {
    if (kind === 'header') {
      for (const path of this.#kept.splice(0)) await this.#do(path, rm(path));
      this.#header = bytes;
      await this.#begin();
    } else if (kind === 'trailer') {
      await this.#append(bytes);
    } else {
      await this.#records(bytes, format);
    }
  }

  async #records(bytes: Uint8Array, format: CaptureFormat): Promise<void> {
    const maxFileBytes = this.#rotation?.fileBytes ?? Infinity;
    for (let rest = bytes; rest.length > 0;) {
      let size = fitting(rest, format, maxFileBytes - this.#sizeBytes);
      if (size === 0 && this.#sizeBytes > this.#header.length) {
        await this.#begin();
        size = fitting(rest, format, maxFileBytes - this.#sizeBytes);
      }
      // A file holds one record at least, however large.
      if (size === 0) size = sizeOf(new DataView(rest.buffer, rest.byteOffset, rest.byteLength), 0, format);
      await this.#append(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  }

  /** The next file, with a header of its own; those beyond the number to keep go. */
  async #begin(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    this.#path = this.#names.at(this.#next);
    this.#next += 1;
    this.#file = await this.#do(this.#path, open(this.#path, this.#special ? 'w' : 'wx', 0o600));
    this.#sizeBytes = 0;
    await this.#append(this.#header);
    this.#kept.push(this.#path);
    const { keep = Infinity } = this.#rotation ?? {};
    while (this.#kept.length > keep)
      await this.#do(this.#path, rm(this.#kept.shift() ?? '', { force: true }));
  }

  async #append(bytes: Uint8Array): Promise<void> {
    const file = this.#file;
    if (file === undefined) throw new TypeError('no header before the records');
    try {
      await file.writeFile(bytes); // goes on where the last one ended
      this.#sizeBytes += bytes.length;
    } catch (error) {
      // Half a record would make the file a damaged one.
      if (!this.#special) await file.truncate(this.#sizeBytes).catch(() => {});
      throw outputError(this.#path, error);
    }
  }

  async #do<Result>(path: string, work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      throw outputError(path, error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}

function outputError(path: string, error: unknown): unknown {
  const code = codeOf(error);
  return code === undefined ? error : new OutputError(path, code);
}

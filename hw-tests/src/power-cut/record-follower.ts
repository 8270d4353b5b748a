import { type FileHandle, open } from 'node:fs/promises';

import { systemClock } from '@nodecore/waiting';

import { dataBytes, parseEntry, type RecordEntry } from '../log-writes/record-format.ts';

const sectorBytes = 512;
const lookMs = 5;

/** Follows the record of a machine that runs. */
export class RecordFollower implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #deviceBytes: number;
  readonly #entries: RecordEntry[] = [];
  #at = sectorBytes; // behind the head

  private constructor(file: FileHandle, deviceBytes: number) {
    this.#file = file;
    this.#deviceBytes = deviceBytes;
  }

  static async open(path: string, deviceBytes: number): Promise<RecordFollower> {
    return new RecordFollower(await open(path, 'r'), deviceBytes);
  }

  /** Waits until what was written says so. Rejects with the reason of `signal`. */
  async until(isThere: (entries: readonly RecordEntry[]) => boolean, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      await this.read();
      if (isThere(this.#entries)) return;
      await systemClock.sleep(lookMs, signal);
    }
  }

  /** All entries until now. */
  async read(): Promise<readonly RecordEntry[]> {
    const { size } = await this.#file.stat();
    const sector = Buffer.alloc(sectorBytes);
    while (this.#at + sectorBytes <= size) {
      await this.#file.read(sector, 0, sectorBytes, this.#at);
      if (sector.every((byte) => byte === 0)) break; // room was taken, and nothing is in it yet
      const at = { index: this.#entries.length, deviceBytes: this.#deviceBytes };
      const entry = parseEntry('record', sector, at);
      this.#entries.push(entry);
      this.#at += sectorBytes + dataBytes(entry);
    }
    return this.#entries;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

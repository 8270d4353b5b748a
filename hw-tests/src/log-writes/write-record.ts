import { type FileHandle, open } from 'node:fs/promises';

import { broken, dataBytes, headBytes, parseEntry, parseHead, type RecordEntry } from './record-format.ts';

/**
 * A record of dm-log-writes in a file: all entries in memory, their data read when asked for.
 *
 * @example
 * await using record = await WriteRecord.open('LOG.disk', { deviceBytes });
 * for (const entry of record.entries) if (entry.length > 0) await image.apply(entry, await record.data(entry));
 */
export class WriteRecord implements AsyncDisposable {
  readonly entries: readonly RecordEntry[];
  /** Its end is missing: the writer was killed in the middle of an entry. */
  readonly isTorn: boolean;
  readonly #file: FileHandle;
  readonly #dataAt: readonly number[];

  private constructor(
    file: FileHandle,
    found: { readonly entries: readonly RecordEntry[]; readonly dataAt: readonly number[]; isTorn: boolean },
  ) {
    this.#file = file;
    this.entries = found.entries;
    this.isTorn = found.isTorn;
    this.#dataAt = found.dataAt;
  }

  /**
   * Reads a whole record; nothing in it may point outside the file or the device.
   *
   * @param options with `mayBeTorn` a record is read up to the first entry that is not complete; one of a writer that was killed
   *   before its first flush has no head, and nothing that is there for certain.
   * @throws {RigError} `ERR_RIG_RECORD`
   */
  static async open(
    path: string,
    options: { readonly deviceBytes: number; readonly mayBeTorn?: boolean },
  ): Promise<WriteRecord> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const first = await read(file, 0, Math.min(headBytes, size));
      if (options.mayBeTorn === true && first.every((byte) => byte === 0))
        return new WriteRecord(file, { entries: [], dataAt: [], isTorn: size > 0 });
      const head = parseHead(path, first);
      const { sectorSize } = head;
      const entries: RecordEntry[] = [];
      const dataAt: number[] = [];
      let at = sectorSize;
      let isTorn = false;
      for (let index = 0; index < head.entries; index += 1) {
        if (at + sectorSize > size) {
          isTorn = options.mayBeTorn === true;
          if (isTorn) break;
          throw broken(path, `${index} of ${head.entries} entries are there`);
        }
        const sector = await read(file, at, sectorSize);
        isTorn = options.mayBeTorn === true && sector.every((byte) => byte === 0);
        if (isTorn) break;
        const entry = parseEntry(path, sector, { index, deviceBytes: options.deviceBytes });
        at += sectorSize;
        if (at + dataBytes(entry) > size) {
          isTorn = options.mayBeTorn === true;
          if (isTorn) break;
          throw broken(path, `entry ${index} has less data than it says`);
        }
        entries.push(entry);
        dataAt.push(at);
        at += dataBytes(entry);
      }
      return new WriteRecord(file, { entries, dataAt, isTorn });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** What an entry wrote; zeroes for a discard, which is what the devices of the rig read afterwards. */
  async data(entry: RecordEntry): Promise<Buffer> {
    if (entry.discard) return Buffer.alloc(entry.length);
    return await read(this.#file, this.#dataAt[entry.index] ?? 0, entry.length);
  }

  /** The entries between two marks, without them. Both must be there, in this order. */
  between(begin: string, end: string): readonly RecordEntry[] {
    const from = this.entries.findIndex(({ mark }) => mark === begin);
    const to = this.entries.findIndex(({ mark }) => mark === end);
    if (from === -1 || to < from) throw new TypeError(`no entries between the marks ${begin} and ${end}`);
    return this.entries.slice(from + 1, to);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, writeFileAtomic } from '@nodecore/sys';
import { Serial } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { decodeRecords, encodeRecords, type TrimRecord } from './record.ts';

export type RecordFileParts = {
  /** Where the node keeps its state; asked at each access. */
  readonly directory: () => Promise<string>;
  readonly log: Log;
};

/** The records of all volumes, in one file. A trim too many or too late is no reason to fail: what goes wrong is logged. */
export class RecordFile {
  readonly #parts: RecordFileParts;
  readonly #turn = new Serial();
  #written: string = encodeRecords(new Map()); // nothing is what a missing file says, too

  constructor(parts: RecordFileParts) {
    this.#parts = parts;
  }

  async read(): Promise<ReadonlyMap<string, TrimRecord>> {
    try {
      const text = await readFile(await this.#path(), 'utf8');
      const records = decodeRecords(text);
      this.#written = text;
      return records;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT')
        this.#parts.log.warn({ err: error }, 'records of trims can not be read');
      return new Map();
    }
  }

  /** Writes what differs from what was written last. */
  write(records: ReadonlyMap<string, TrimRecord>): Promise<void> {
    return this.#turn.run(async () => {
      const text = encodeRecords(records);
      if (text === this.#written) return;
      try {
        await writeFileAtomic(await this.#path(), text);
        this.#written = text;
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'records of trims can not be written');
      }
    });
  }

  async #path(): Promise<string> {
    return join(await this.#parts.directory(), 'trims.json');
  }
}

import * as disk from 'node:fs/promises';

import {
  copyOffsets,
  type MetaRecord,
  metaSizeBytes,
  type MetaValues,
  type MetaWrite,
  readMeta,
  writeMeta,
} from '@nodecore/meta';
import { Serial, Signal } from '@nodecore/waiting';

import { PersistenceError } from './errors.ts';

/** How the partition is opened; anew for each use, so that nothing stays in a cache. */
type Files = Pick<typeof disk, 'open'>;

/** The META partition of the system disk: what must be known before STATE can be read. */
export class Meta {
  readonly #path: string;
  readonly #files: Files;
  readonly #turn = new Serial();
  /** Fires when values are others. */
  readonly changed: Signal = new Signal();
  #record: MetaRecord;

  private constructor(path: string, record: MetaRecord, files: Files) {
    this.#path = path;
    this.#files = files;
    this.#record = record;
  }

  /** @param path the partition, or a file of its size. */
  static async open(path: string, files: Files = disk): Promise<Meta> {
    await using file = await files.open(path, 'r');
    return new Meta(path, readMeta(await readAll(file)), files);
  }

  /** Those that have a value. */
  get tags(): readonly number[] {
    return [...this.#record.values.keys()];
  }

  get(tag: number): Uint8Array | undefined {
    return this.#record.values.get(tag);
  }

  /**
   * Sets a value, or removes it when undefined. Survives a power cut from the moment this resolves.
   *
   * @throws {PersistenceError} `ERR_STATE_DAMAGED` when the partition holds something else afterwards.
   */
  set(tag: number, value: Uint8Array | undefined): Promise<void> {
    return this.change(new Map([[tag, value]]));
  }

  /** The same for several, all at once. */
  change(changes: ReadonlyMap<number, Uint8Array | undefined>): Promise<void> {
    return this.#turn.run(async () => {
      const values = new Map(this.#record.values);
      for (const [tag, value] of changes) {
        if (value === undefined) values.delete(tag);
        else values.set(tag, value);
      }
      if (!isSame(values, this.#record.values)) await this.#keep(values);
    });
  }

  /** Writes both copies once more, to their ends: nothing is left of values that were changed or removed. */
  rewrite(): Promise<void> {
    return this.#turn.run(async () => {
      if (this.#record.sequence === 0n) return; // nothing was ever written
      for (const _copy of copyOffsets) await this.#keep(this.#record.values, toTheEnd);
    });
  }

  async #keep(values: MetaValues, padded = (write: MetaWrite): MetaWrite => write): Promise<void> {
    await this.#write(writeMeta(this.#record, values).map(padded));
    // Opened anew: the last close of a block device drops its cache, so that this comes from the disk.
    await using file = await this.#files.open(this.#path, 'r');
    const record = readMeta(await readAll(file));
    if (!isSame(values, record.values)) {
      throw new PersistenceError('ERR_STATE_DAMAGED', `META does not keep what is written to ${this.#path}`);
    }
    this.#record = record;
    this.changed.notify();
  }

  async #write(writes: readonly MetaWrite[]): Promise<void> {
    await using file = await this.#files.open(this.#path, 'r+');
    for (const { bytes, offset } of writes) {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset + done);
        done += bytesWritten;
      }
      await file.sync();
    }
  }
}

/** With zeros behind it, up to the end of its copy. */
function toTheEnd({ offset, bytes }: MetaWrite): MetaWrite {
  const copy = Buffer.alloc(metaSizeBytes / copyOffsets.length);
  bytes.copy(copy);
  return { offset, bytes: copy };
}

async function readAll(file: disk.FileHandle): Promise<Buffer> {
  const bytes = Buffer.alloc(metaSizeBytes);
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, done);
    if (bytesRead === 0) break; // shorter than a META partition: the rest reads as blank
    done += bytesRead;
  }
  return bytes;
}

function isSame(left: MetaValues, right: MetaValues): boolean {
  return (
    left.size === right.size &&
    [...left].every(([tag, value]) => Buffer.compare(value, right.get(tag) ?? Buffer.alloc(0)) === 0)
  );
}

import * as disk from 'node:fs/promises';

import {
  copyOffsets,
  isTornMeta,
  type MetaRecord,
  metaSizeBytes,
  type MetaValues,
  type MetaWrite,
  readMeta,
  writeMeta,
} from '@nodecore/meta';
import { codeOf } from '@nodecore/sys';
import { Serial, Signal } from '@nodecore/waiting';

import { PersistenceError } from './errors.ts';

/** Why META has no values: it is `torn`, and was ours, or it is `foreign`, and is never written to. */
export type MetaDamage = { readonly kind: 'torn' | 'foreign'; readonly message: string };

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

  #damage: MetaDamage | undefined;

  private constructor(path: string, { record, damage }: Opened, files: Files) {
    this.#path = path;
    this.#files = files;
    this.#record = record;
    this.#damage = damage;
  }

  /**
   * Without a whole record it has no values, and says why: a node starts all the same.
   *
   * @param path the partition, or a file of its size.
   */
  static async open(path: string, files: Files = disk): Promise<Meta> {
    await using file = await files.open(path, 'r');
    return new Meta(path, opened(await readAll(file)), files);
  }

  /** Why it has no values although something is there; undefined when all is well. What is ours and torn is gone with the next write. */
  get damage(): MetaDamage | undefined {
    return this.#damage;
  }

  /** Whether nothing was ever written. */
  get isBlank(): boolean {
    return this.#record.sequence === 0n && this.#damage === undefined;
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
    if (this.#damage?.kind === 'foreign')
      throw new PersistenceError(
        'ERR_STATE_DAMAGED',
        `${this.#path} is not written to: ${this.#damage.message}`,
      );
    await this.#write(writeMeta(this.#record, values).map(padded));
    // Opened anew: the last close of a block device drops its cache, so that this comes from the disk.
    await using file = await this.#files.open(this.#path, 'r');
    const record = readMeta(await readAll(file));
    if (!isSame(values, record.values)) {
      throw new PersistenceError('ERR_STATE_DAMAGED', `META does not keep what is written to ${this.#path}`);
    }
    this.#record = record;
    this.#damage = undefined;
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

type Opened = { readonly record: MetaRecord; readonly damage?: MetaDamage };

function opened(bytes: Buffer): Opened {
  try {
    return { record: readMeta(bytes) };
  } catch (error) {
    if (codeOf(error) !== 'ERR_META_DAMAGED') throw error;
    const record: MetaRecord = { sequence: 0n, values: new Map(), copy: 1 };
    const damage: MetaDamage = isTornMeta(bytes)
      ? { kind: 'torn', message: 'META has no whole copy any more: its values are lost' }
      : { kind: 'foreign', message: 'META holds what is not ours: another system may need it' };
    return { record, damage };
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

import { type FileHandle, open } from 'node:fs/promises';

import { Serial } from '@nodecore/sys';

import { type MetaRecord, metaSizeBytes, type MetaValues, readMeta, writeMeta } from './meta-record.ts';

/** What a tag of META holds. */
export const metaTag = {
  /** How STATE is encrypted, as JSON: kinds and slots of its keys, never the keys. */
  stateEncryption: 9,
  /** Text that takes the place of the machine's UUID. */
  machineUuid: 15,
} as const;

/** The META partition of the system disk: what must be known before STATE can be read. */
export class Meta {
  readonly #path: string;
  readonly #turn = new Serial();
  #record: MetaRecord;

  private constructor(path: string, record: MetaRecord) {
    this.#path = path;
    this.#record = record;
  }

  /** @param path the partition, or a file of its size. */
  static async open(path: string): Promise<Meta> {
    await using file = await open(path, 'r');
    return new Meta(path, readMeta(await readAll(file)));
  }

  get(tag: number): Uint8Array | undefined {
    return this.#record.values.get(tag);
  }

  /** Sets a value, or removes it when undefined. Survives a power cut from the moment this resolves. */
  set(tag: number, value: Uint8Array | undefined): Promise<void> {
    return this.#turn.run(async () => {
      const values = new Map(this.#record.values);
      if (value === undefined) values.delete(tag);
      else values.set(tag, value);
      if (isSame(values, this.#record.values)) return;
      await using file = await open(this.#path, 'r+');
      for (const write of writeMeta(this.#record, values)) {
        await file.write(write.bytes, 0, write.bytes.length, write.offset);
        await file.sync();
      }
      this.#record = readMeta(await readAll(file));
    });
  }
}

async function readAll(file: FileHandle): Promise<Buffer> {
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

import { createHash } from 'node:crypto';

import { View } from '@nodecore/view';

import type { EntryFiles, ListedFile } from '../src/index.ts';

/** The power is cut. */
export class Cut extends Error {}

type File = { readonly bytes: Buffer; isSynced: boolean };
type Names = ReadonlyMap<string, File>;

/**
 * A directory without a journal, whose power is cut at a step. Bytes of a file are safe after its sync, names after
 * the sync of the directory; before, any beginning of the changes of names may be on the disk, a rename may have left
 * both names, and a file may have none, half or all of its bytes, or zeros.
 */
export class CrashingFiles implements EntryFiles {
  #names = new Map<string, File>();
  /** Each state of the names since the last sync of the directory; the first one is safe. */
  #states: Names[];
  readonly #room: number;
  readonly #cutAt: number;
  /** How many steps were begun. */
  steps = 0;

  constructor(files: Readonly<Record<string, Buffer>>, room: number, cutAt = Infinity) {
    for (const [name, bytes] of Object.entries(files)) this.#names.set(name, { bytes, isSynced: true });
    this.#states = [new Map(this.#names)];
    this.#room = room;
    this.#cutAt = cutAt;
  }

  /** What may be on the disk after a cut now. */
  *outcomes(): Generator<Readonly<Record<string, Buffer>>> {
    for (const names of this.#states) {
      for (const spoil of [0, 1, 2, 3]) {
        yield Object.fromEntries(
          [...names].map(([name, { bytes, isSynced }]) => [name, isSynced ? bytes : spoiled(bytes, spoil)]),
        );
      }
    }
  }

  get names(): readonly string[] {
    return [...this.#names.keys()];
  }

  list(): Promise<readonly ListedFile[]> {
    return Promise.resolve([...this.#names].map(([name, { bytes }]) => ({ name, sizeBytes: bytes.length })));
  }

  freeBytes(): Promise<number> {
    const used = [...this.#names.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    return Promise.resolve(this.#room - used);
  }

  async write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#names.has(name)) throw new Error(`EEXIST: ${name}`);
    const written: Uint8Array[] = [];
    const put = (): void => this.#change(name, { bytes: Buffer.concat(written), isSynced: false });
    this.#step(put); // an empty file first
    for await (const chunk of chunks) {
      written.push(chunk);
      this.#step(put);
    }
  }

  sync(name: string): Promise<void> {
    return this.#later(() => {
      const file = this.#names.get(name);
      if (file !== undefined) file.isSynced = true;
    });
  }

  digest(name: string): Promise<string> {
    const bytes = this.#names.get(name)?.bytes ?? Buffer.alloc(0);
    return Promise.resolve(createHash('sha256').update(bytes).digest('hex'));
  }

  view(name: string): Promise<View> {
    return Promise.resolve(View.of(this.#names.get(name)?.bytes ?? Buffer.alloc(0)));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#later(() => {
      const file = this.#names.get(from);
      if (file === undefined) throw new Error(`ENOENT: ${from}`);
      const replaced = this.#names.get(to);
      this.#change(to, file); // both names, for a moment
      this.#names.delete(from);
      if (replaced !== undefined) this.#free(replaced);
      this.#states.push(new Map(this.#names));
    });
  }

  remove(name: string): Promise<void> {
    return this.#later(() => {
      const file = this.#names.get(name);
      this.#names.delete(name);
      if (file !== undefined) this.#free(file);
      this.#states.push(new Map(this.#names));
    });
  }

  syncDirectory(): Promise<void> {
    return this.#later(() => {
      this.#states = [new Map(this.#names)];
    });
  }

  /** FAT has no links: the clusters of every name that the file still has are free now, and the next file gets them. */
  #free(file: File): void {
    for (const [other, { bytes }] of this.#names)
      if (bytes === file.bytes) this.#names.set(other, { bytes: Buffer.alloc(bytes.length), isSynced: true });
  }

  #later(apply: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#step(apply);
      resolve();
    });
  }

  #step(apply: () => void): void {
    if (this.steps >= this.#cutAt) throw new Cut();
    this.steps += 1;
    apply();
  }

  #change(name: string, file: File): void {
    this.#names.set(name, file);
    this.#states.push(new Map(this.#names));
  }
}

function spoiled(bytes: Buffer, how: number): Buffer {
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  return [bytes, Buffer.alloc(0), half, Buffer.alloc(bytes.length)][how] ?? bytes;
}

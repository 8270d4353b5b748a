import { createHash } from 'node:crypto';

import { View } from '@nodecore/view';

import type { SlotDisk } from '../../src/index.ts';
import { Cut } from '../crashing-files.ts';

type State = ReadonlyMap<string, Buffer>;

/**
 * A partition whose power is cut at a step. What was written since the last sync of all may be there, not there, or be half
 * or zeros; of what is overwritten in place each sector is the old or the new one.
 */
export class CrashingSlots implements SlotDisk {
  readonly #files: Map<string, Buffer>;
  #unsynced = new Set<string>();
  /** What the disk may have beside its files of now. */
  #states: State[];
  readonly #cutAt: number;
  #steps = 0;

  constructor(files: State, cutAt = Infinity) {
    this.#files = new Map(files);
    this.#states = [new Map(files)];
    this.#cutAt = cutAt;
  }

  /** What may be on the disk after a cut now. */
  *outcomes(): Generator<State> {
    yield* this.#states;
    for (const spoil of [0, 1, 2, 3]) {
      yield new Map(
        [...this.#files].map(([path, bytes]) => [
          path,
          this.#unsynced.has(path) ? spoiled(bytes, spoil) : bytes,
        ]),
      );
    }
  }

  read(path: string): Promise<Buffer> {
    return Promise.resolve(this.#files.get(path) ?? Buffer.of());
  }

  view(path: string): Promise<View> {
    return Promise.resolve(View.of(this.#files.get(path) ?? Buffer.of()));
  }

  sizeOf(path: string): Promise<number | undefined> {
    return Promise.resolve(this.#files.get(path)?.length);
  }

  freeBytes(): Promise<number> {
    return Promise.resolve(1 << 20);
  }

  async write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const written: Uint8Array[] = [];
    this.#step(() => this.#change(path, Buffer.of()));
    for await (const chunk of chunks) {
      written.push(chunk);
      this.#step(() => this.#change(path, Buffer.concat(written)));
    }
  }

  overwrite(path: string, bytes: Uint8Array): Promise<void> {
    return this.#later(() => {
      const before = this.#files.get(path) ?? Buffer.of();
      if (before.length !== bytes.length) throw new Error('it is written in place');
      this.#states.push(new Map(this.#files));
      for (let offset = 512; offset < bytes.length; offset += 512) {
        const torn = Buffer.concat([bytes.subarray(0, offset), before.subarray(offset)]);
        this.#states.push(new Map([...this.#files, [path, torn]]));
      }
      this.#files.set(path, Buffer.from(bytes));
    });
  }

  sync(path: string): Promise<void> {
    return this.#later(() => this.#unsynced.delete(path));
  }

  digest(path: string): Promise<string> {
    return Promise.resolve(
      createHash('sha256')
        .update(this.#files.get(path) ?? '')
        .digest('hex'),
    );
  }

  remove(path: string): Promise<void> {
    return this.#later(() => {
      this.#states.push(new Map(this.#files));
      this.#files.delete(path);
    });
  }

  syncAll(): Promise<void> {
    return this.#later(() => {
      this.#unsynced.clear();
      this.#states = [new Map(this.#files)];
    });
  }

  #later(apply: () => unknown): Promise<void> {
    return new Promise((resolve) => {
      this.#step(apply);
      resolve();
    });
  }

  #step(apply: () => unknown): void {
    if (this.#steps >= this.#cutAt) throw new Cut();
    this.#steps += 1;
    apply();
  }

  #change(path: string, bytes: Buffer): void {
    this.#states.push(new Map(this.#files));
    this.#files.set(path, bytes);
    this.#unsynced.add(path);
  }
}

function spoiled(bytes: Buffer, how: number): Buffer {
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  return [bytes, Buffer.alloc(0), half, Buffer.alloc(bytes.length)][how] ?? bytes;
}

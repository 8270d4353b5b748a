import { truncate } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram } from '../program.ts';

const step = 1 << 20;

/** A loop device that becomes a MiB larger each time. */
export class GrowingDisk {
  /** Kernel name. */
  readonly id: string;
  readonly #file: string;
  #size = 64 * step;

  private constructor(id: string, file: string) {
    this.id = id;
    this.#file = file;
  }

  static async attach(stack: AsyncDisposableStack, directory: string): Promise<GrowingDisk> {
    const file = join(directory, 'growing');
    await runProgram(['truncate', '--size', String(64 * step), file]);
    const path = (await runProgram(['losetup', '--find', '--show', file])).trim();
    stack.defer(async () => {
      await runProgram(['losetup', '--detach', path]);
    });
    return new GrowingDisk(path.slice('/dev/'.length), file);
  }

  /** What the size will be after the next `grow`. */
  nextSize(): bigint {
    return BigInt(this.#size + step);
  }

  async grow(): Promise<void> {
    this.#size += step;
    await truncate(this.#file, this.#size);
    await runProgram(['losetup', '--set-capacity', `/dev/${this.id}`]);
  }
}

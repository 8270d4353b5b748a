import { readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { BlockDeviceInit } from '@nodecore/api/cgroup';
import { codeOf } from '@nodecore/sys';

/** Names of the block devices that files of cgroups mention by number; each is told once. */
export class DeviceNames {
  readonly #directory: string;
  readonly #told = new Set<string>();
  readonly #seen = new Set<string>();

  /** @param directory `/sys/dev/block`. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Looks for numbers in the text of a file. */
  see(file: string, text: string): void {
    if (!file.startsWith('io.')) return;
    for (const [, number] of text.matchAll(/^(\d+:\d+) /gm))
      if (number !== undefined && !this.#told.has(number)) this.#seen.add(number);
  }

  /** Those seen since the last call. */
  async news(): Promise<readonly BlockDeviceInit[]> {
    const numbers = [...this.#seen];
    this.#seen.clear();
    const devices: BlockDeviceInit[] = [];
    for (const number of numbers) {
      this.#told.add(number);
      try {
        devices.push({ number, name: basename(await readlink(join(this.#directory, number))) });
      } catch (error) {
        if (codeOf(error) === undefined) throw error; // a device that is gone keeps its number
      }
    }
    return devices;
  }
}

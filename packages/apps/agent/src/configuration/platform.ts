import { readFile } from 'node:fs/promises';

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import type { Inventory } from '@nodecore/block';
import { decode } from '@nodecore/config';

import { kernelArguments } from '../image/kernel-arguments.ts';
import { platformPlace } from './platform-place.ts';
import { longestBytes } from './sources.ts';
import { configurationUrl, download, type UrlFacts } from './url-source.ts';
import { readFromVolume } from './volume-source.ts';

export type PlatformParts = {
  readonly kernelCommandLine: string;
  readonly facts: UrlFacts;
  /** Undefined while the disks are still looked at. */
  readonly inventory: () => Inventory | undefined;
  /** Reads a medium; another one in tests. */
  readonly medium?: typeof readFromVolume;
};

/** The platform that a machine runs on, as one that may say what the machine is to be. */
export class Platform {
  readonly #parts: PlatformParts;
  #isPending = false;

  constructor(parts: PlatformParts) {
    this.#parts = parts;
  }

  /** Whether it was asked for a place that did not answer the last time. */
  get isPending(): boolean {
    return this.#isPending;
  }

  /**
   * The configuration that it keeps, asked once: a server that does not answer, and a medium that is not there, may be there later.
   *
   * @returns undefined where no place is named.
   */
  async read(): Promise<string | undefined> {
    const { kernelCommandLine, facts, inventory, medium = readFromVolume } = this.#parts;
    const words = kernelArguments(await readFile(kernelCommandLine, 'utf8'));
    const place = platformPlace(words, await facts.serial());
    if (place === undefined) return undefined;
    this.#isPending = true;
    if (place.kind === 'url') {
      const url = await configurationUrl(place.url, facts);
      const bytes = await download(url, longestBytes);
      this.#isPending = false;
      return decode(bytes, { file: kernelArgument.config });
    }
    const { label, file } = place;
    const found = inventory();
    const bytes = found && (await medium(found, label, file, longestBytes));
    if (bytes === undefined) throw new Error(`no volume is called ${label}`);
    this.#isPending = false;
    return decode(bytes, { file: `${label}/${file}` });
  }
}

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { makeDirectory, unlessGone } from '@nodecore/sys';

const keptMs = 7 * 24 * 60 * 60_000;

/**
 * Archives of clusters that are gone, as they were sent, for a week: when the line breaks, or the disk of who asked is full, they are
 * the only ones.
 */
export class KeptArchives {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** A directory for those of a cluster, after removing what is older than a week. */
  async begin(cluster: string): Promise<string> {
    await this.sweep();
    const time = new Date().toISOString().replaceAll(/[^\dT]/g, '');
    const place = join(this.#directory, `${cluster}-${time}`);
    await makeDirectory(this.#directory);
    await makeDirectory(place);
    return place;
  }

  async sweep(): Promise<void> {
    for (const name of (await unlessGone(readdir(this.#directory))) ?? []) {
      const place = join(this.#directory, name);
      const found = await unlessGone(stat(place));
      if (found !== undefined && Date.now() - found.mtimeMs > keptMs)
        await rm(place, { recursive: true, force: true });
    }
  }
}

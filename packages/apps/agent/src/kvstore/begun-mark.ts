import { stat } from 'node:fs/promises';

import { codeOf, writeFileAtomic } from '@nodecore/sys';

/**
 * That this node has begun a kvstore by itself, kept beside its configuration: data that is lost later was a member's, and a second
 * beginning would be a second cluster under the name of the first.
 */
export class BegunMark {
  readonly #path: () => Promise<string>;

  constructor(path: () => Promise<string>) {
    this.#path = path;
  }

  /** Whether it has. @throws what the place throws while it is not there. */
  async isSet(): Promise<boolean> {
    try {
      await stat(await this.#path());
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** From now on it has, also after a power cut. */
  async set(): Promise<void> {
    if (!(await this.isSet())) await writeFileAtomic(await this.#path(), '');
  }
}

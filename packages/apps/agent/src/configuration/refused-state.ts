import { type Configuration, parse } from '@nodecore/config';
import { Secret } from '@nodecore/sys';

import type { StateDirectory } from '../persistence/state-directory.ts';
import type { FormerConfigurations } from './former.ts';

/** What STATE holds, when it is no configuration for this version: only those whom it lets in may replace it. */
export class RefusedState implements Disposable {
  #text: Secret | undefined;
  #version = 0;

  /** Whether there is one. */
  get isThere(): boolean {
    return this.#text !== undefined;
  }

  /** @throws {ConfigError} with what is wrong; from then on it is the one that was refused. */
  parse(text: string, version: number): Configuration {
    try {
      return parse(text, { file: 'config.yaml' });
    } catch (error) {
      this.#text ??= Secret.take(Buffer.from(text));
      this.#version = version;
      throw error;
    }
  }

  /** Its keys may be the only ones of a volume: they are kept for a version that can read it. */
  async keepIn(state: StateDirectory, former: FormerConfigurations): Promise<void> {
    if (this.#text !== undefined) await former.keep(state, this.#text.bytes.toString('utf8'), this.#version);
  }

  [Symbol.dispose](): void {
    this.#text?.[Symbol.dispose]();
    this.#text = undefined;
  }
}

import { onAbort } from '@nodecore/waiting';

import { translated } from './errors.ts';
import { Handle } from './handle.ts';
import type { AddonQuestion, AddonTable } from './inspect-addon.ts';

/** A question that a thread of the addon answers once. */
export class Question extends Handle<AddonQuestion> {
  readonly #on: string;

  /** @param on what is asked, in errors. */
  constructor(native: AddonQuestion, on: string) {
    super(native, `question of ${on}`);
    this.#on = on;
  }

  /** Closes the question, too. @throws {NativeError} and the reason of the signal. */
  async answer(signal?: AbortSignal): Promise<AddonTable> {
    try {
      signal?.throwIfAborted();
      using _listener = onAbort(signal, () => this.close());
      const isReady = await this.readable();
      signal?.throwIfAborted();
      const table = isReady ? translated(this.#on, () => this.native.receive()) : undefined;
      if (table === undefined) throw new TypeError(`question of ${this.#on} without an answer`);
      return table;
    } finally {
      this.close();
    }
  }
}

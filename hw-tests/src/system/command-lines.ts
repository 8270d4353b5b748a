import { readdir, readFile } from 'node:fs/promises';

import { systemClock } from '@nodecore/waiting';

const lookMs = 250;

/** Keeps with what every process of this computer was started, as long as it lives. */
export class CommandLines implements AsyncDisposable {
  readonly #seen = new Map<string, string>();
  readonly #ending = new AbortController();
  readonly #following = this.#follow();

  /** Command lines by process; words are separated by zeros. */
  get all(): ReadonlyMap<string, string> {
    return this.#seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      for (const pid of await readdir('/proc')) {
        if (!/^\d+$/.test(pid)) continue;
        const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
        if (line !== '') this.#seen.set(`process ${pid} (${line.split('\0', 1)[0]})`, line);
      }
      await systemClock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
    }
  }
}

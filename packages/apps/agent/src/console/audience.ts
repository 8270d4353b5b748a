import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import type { Clock } from '@nodecore/waiting';

/** The virtual terminal that is on the screen: `tty1`. */
const activePath = '/sys/class/tty/tty0/active';
/** Who looks at a line that nobody can be seen at has typed something. */
const patienceMs = 5 * 60_000;
/** Who comes finds no page of long ago. */
const [glanceEveryMs, glanceMs] = [30_000, 4000];

export type AudienceOptions = {
  readonly clock: Pick<Clock, 'now'>;
  /** Another file in tests. */
  readonly active?: string;
};

/** Whether somebody may look at a terminal: it is on the screen, or there was a key; and for a moment now and then. */
export class Audience {
  readonly #name: string;
  readonly #active: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #begunMs: number;
  #typedMs = -Infinity;

  /** @param path of the terminal. */
  constructor(path: string, { clock, active = activePath }: AudienceOptions) {
    this.#name = basename(path);
    this.#active = active;
    this.#clock = clock;
    this.#begunMs = clock.now();
  }

  /** Somebody is there. */
  typed(): void {
    this.#typedMs = this.#clock.now();
  }

  async isThere(): Promise<boolean> {
    const nowMs = this.#clock.now();
    if ((nowMs - this.#begunMs) % glanceEveryMs < glanceMs) return true;
    // A machine without virtual terminals has no such file.
    const shown = await readFile(this.#active, 'utf8').catch(() => '');
    return shown.trim() === this.#name || (!this.#isVirtual() && nowMs - this.#typedMs < patienceMs);
  }

  #isVirtual(): boolean {
    return /^tty\d+$/u.test(this.#name);
  }
}

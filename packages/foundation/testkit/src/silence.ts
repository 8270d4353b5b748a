import type { ChildProcess } from 'node:child_process';

import type { ProcessIdentity } from '@nodecore/sys';

import { processesBelow } from './process-tree.ts';

/** Ends a program that says nothing for too long: first it is asked to, then it is killed. */
export class Silence {
  readonly #child: ChildProcess;
  readonly #maxMs: number;
  #timer: NodeJS.Timeout;
  wasTooLong = false;
  /** The processes that the program had when it was asked to end: they may outlive it. */
  processes: readonly ProcessIdentity[] = [];

  constructor(child: ChildProcess, maxMs: number) {
    this.#child = child;
    this.#maxMs = maxMs;
    this.#timer = this.#after(maxMs, 'SIGTERM');
  }

  begin(): void {
    if (this.wasTooLong) return;
    clearTimeout(this.#timer);
    this.#timer = this.#after(this.#maxMs, 'SIGTERM');
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #after(ms: number, signal: 'SIGTERM' | 'SIGKILL'): NodeJS.Timeout {
    return setTimeout(() => {
      this.wasTooLong = true;
      if (signal === 'SIGTERM') this.processes = processesBelow(this.#child.pid ?? 0);
      this.#child.kill(signal);
      if (signal === 'SIGTERM') this.#timer = this.#after(Math.min(ms, 30_000), 'SIGKILL');
    }, ms);
  }
}

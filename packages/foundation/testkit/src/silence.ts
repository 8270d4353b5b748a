import type { ChildProcess } from 'node:child_process';

/** Ends a program that says nothing for too long: first it is asked to, then it is killed. */
export class Silence {
  readonly #child: ChildProcess;
  readonly #maxMs: number;
  #timer: NodeJS.Timeout;
  wasTooLong = false;

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
      this.#child.kill(signal);
      if (signal === 'SIGTERM') this.#timer = this.#after(Math.min(ms, 30_000), 'SIGKILL');
    }, ms);
  }
}

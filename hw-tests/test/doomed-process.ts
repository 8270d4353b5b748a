import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import type { VolumeJob } from './volume-process.ts';

const program = fileURLToPath(new URL('inside/make-volumes.ts', import.meta.url));

/** A process that makes volumes and does not live to see the end. It has loaded everything when it gets its job. */
export class DoomedProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  readonly #loaded: Promise<unknown>;

  constructor() {
    const argv = ['--conditions=source', program];
    // A group of its own, which its mkfs is in, too.
    this.#child = spawn(process.execPath, argv, { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {}); // it is gone
    this.#lines = createInterface({ input: this.#child.stdout });
    this.#loaded = once(this.#lines, 'line');
  }

  /** Has it work for so long. @returns the milliseconds after which it was done, if it came to that. */
  async workAndDie(
    job: VolumeJob,
    afterMs: number,
    victims: 'process' | 'group',
  ): Promise<number | undefined> {
    await this.#loaded;
    const started = performance.now();
    let done: number | undefined;
    this.#lines.on('line', () => (done = performance.now() - started));
    this.#child.stdin.write(`${JSON.stringify(job)}\n`);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    if (this.#child.exitCode !== null) throw new Error(`it ended by itself with ${this.#child.exitCode}`);
    await this.kill(victims);
    return done;
  }

  /** Has it work to its end, and kills it then. @returns the milliseconds that it took. */
  async work(job: VolumeJob): Promise<number> {
    await this.#loaded;
    const started = performance.now();
    const ended = new Promise<never>((_, reject) => {
      this.#child.once('exit', (code) => reject(new Error(`it ended by itself with ${code}`)));
    });
    this.#child.stdin.write(`${JSON.stringify(job)}\n`);
    await Promise.race([once(this.#lines, 'line'), ended]);
    const lasted = performance.now() - started;
    await this.kill('group');
    return lasted;
  }

  /** `kill -9`, of the process alone or with what it has started. Twice is fine. */
  async kill(victims: 'process' | 'group'): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    process.kill(victims === 'group' ? -pid : pid, 'SIGKILL');
    await exited;
  }
}

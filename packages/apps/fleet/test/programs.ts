import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { agentEnvironment } from '@nodecore/testkit/agent-environment';
import type { ExecutionContext } from 'ava';

/** A program of this checkout in a process of its own, and what it writes. Killed after the test. */
export class RunningProgram {
  readonly #child: ChildProcess;
  readonly #waiting = new Set<() => void>();
  readonly lines: string[] = [];
  #ended = false;

  constructor(t: ExecutionContext, path: string, argv: readonly string[]) {
    const program = fileURLToPath(new URL(`../../${path}`, import.meta.url));
    const env = { ...process.env, ...(path.startsWith('agent/') && agentEnvironment) };
    this.#child = spawn(process.execPath, [program, ...argv], { stdio: ['ignore', 'pipe', 'pipe'], env });
    t.teardown(async () => await this.kill());
    const wake = (): void => {
      for (const each of this.#waiting) each();
    };
    for (const stream of [this.#child.stdout, this.#child.stderr])
      createInterface({ input: stream! }).on('line', (line) => {
        this.lines.push(line);
        wake();
      });
    this.#child.on('close', () => {
      this.#ended = true;
      wake();
    });
  }

  /** The first line with this text, or the one after so many, as soon as it is there. */
  async line(text: string, after = 0): Promise<string> {
    for (;;) {
      const found = this.lines.filter((line) => line.includes(text))[after];
      if (found !== undefined) return found;
      if (this.#ended) throw new Error(`the program ended without "${text}":\n${this.lines.join('\n')}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }

  /** At once. Twice is fine. */
  async kill(): Promise<void> {
    if (this.#ended) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }
}

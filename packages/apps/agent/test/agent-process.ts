import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { agentEnvironment } from '@nodecore/testkit/agent-environment';
import type { ExecutionContext } from 'ava';

const program = fileURLToPath(new URL('../bin/nodecore-agent.js', import.meta.url));

type Line = Readonly<Record<string, unknown>> & { readonly msg?: string };

/** A running agent: the real program, in a process of its own. Killed after the test. */
export class AgentProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Set<() => void>();
  readonly lines: string[] = [];
  #ended = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.lines.push(line);
        for (const wake of this.#waiting) wake();
      });
    }
    child.on('close', () => {
      this.#ended = true;
      for (const wake of this.#waiting) wake();
    });
  }

  /** Starts it with its state in `directory` and waits until it listens. */
  static async start(
    t: ExecutionContext,
    directory: string,
    more: readonly string[] = [],
    /** A command that starts the agent, whose own command line follows. */
    wrapper: readonly string[] = [],
  ): Promise<AgentProcess> {
    const argv = ['--state', join(directory, 'state'), '--run-directory', join(directory, 'run')];
    const [command = '', ...rest] = [...wrapper, process.execPath, program, ...argv];
    const child = spawn(
      command,
      // Other tests run beside, so that a proof takes longer than its disk does.
      [
        ...rest,
        '--listen',
        '127.0.0.1:0',
        '--mount-root',
        join(directory, 'root'),
        '--proof-limit=60',
        ...more,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...agentEnvironment } },
    );
    const agent = new AgentProcess(child);
    t.teardown(() => agent.kill());
    await agent.line('listening');
    return agent;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** `127.0.0.1:port` of the API. */
  get endpoint(): string {
    return `127.0.0.1:${String(this.#find(({ msg }) => msg === 'listening')?.['port'])}`;
  }

  /** The log line with this message, as soon as there is one. */
  async line(message: string): Promise<Line> {
    return await this.lineWith(({ msg }) => msg === message, message);
  }

  /** The first log line like this, as soon as there is one. */
  async lineWith(isWanted: (line: Line) => boolean, words = String(isWanted)): Promise<Line> {
    for (;;) {
      const line = this.#find(isWanted);
      if (line !== undefined) return line;
      if (this.#ended) throw new Error(`the agent ended without "${words}":\n${this.lines.join('\n')}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }

  /** Ends it as a power cut of the process would. Twice is fine. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends it as a service manager would. @returns its exit code. */
  async stop(): Promise<number | null> {
    await this.#end('SIGTERM');
    return this.#child.exitCode;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#ended) return;
    const closed = once(this.#child, 'close');
    this.#child.kill(signal);
    await closed;
  }

  #find(isWanted: (line: Line) => boolean): Line | undefined {
    for (const text of this.lines) {
      if (!text.startsWith('{')) continue;
      const line = JSON.parse(text) as Line;
      if (isWanted(line)) return line;
    }
    return undefined;
  }
}

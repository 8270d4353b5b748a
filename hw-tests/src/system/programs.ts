import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { tethered } from '@nodecore/sys';
import { onAbort, systemClock } from '@nodecore/waiting';

import { checkout } from '../paths.ts';

/** Programs of the workspace, each started from its sources. */
export type ProgramName = 'osctl' | 'fleetctl' | 'nodecore-factory' | 'nodecore-fleet';

const apps: Readonly<Record<ProgramName, string>> = {
  osctl: 'osctl',
  fleetctl: 'fleetctl',
  'nodecore-factory': 'factory',
  'nodecore-fleet': 'fleet',
};

/** What a program ended with. */
export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** A server that ends with its disposal. */
export type Served = AsyncDisposable & {
  /** What its log had said when it was ready. */
  readonly said: string;
};

/** Programs that have a directory for their home, and nothing of this user's. */
export class Programs {
  readonly #home: string;
  readonly #signal: AbortSignal | undefined;

  /** @param signal ends what runs: with SIGTERM, so that it can take away what it has made. */
  constructor(home: string, signal?: AbortSignal) {
    this.#home = home;
    this.#signal = signal;
  }

  /** Runs a program to its end, whatever that is. */
  async try(name: ProgramName, ...args: readonly string[]): Promise<Ended> {
    return await this.#run(name, args);
  }

  /** As `run`; what the program tells meanwhile is passed on as it comes. */
  async follow(tell: (text: string) => void, name: ProgramName, ...args: readonly string[]): Promise<string> {
    return succeeded(name, args, await this.#run(name, args, tell));
  }

  async #run(name: ProgramName, args: readonly string[], tell?: (text: string) => void): Promise<Ended> {
    this.#signal?.throwIfAborted();
    const [file, ...words] = argv(name, args);
    const { promise, resolve } = Promise.withResolvers<Ended>();
    const child = execFile(
      file,
      words,
      { env: this.#env(), maxBuffer: 16 << 20 },
      (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
        resolve({ code, stdout, stderr });
      },
    );
    if (tell !== undefined) child.stderr?.on('data', tell);
    using _listening = onAbort(this.#signal, () => child.kill('SIGTERM'));
    const ended = await promise;
    this.#signal?.throwIfAborted();
    return ended;
  }

  /** Runs a program that must succeed. @returns what it printed. @throws {Error} with its last words otherwise. */
  async run(name: ProgramName, ...args: readonly string[]): Promise<string> {
    return succeeded(name, args, await this.#run(name, args));
  }

  /**
   * Starts a server, which ends with this process, and waits until its log says that it serves.
   *
   * @param log file for what it says
   * @throws {Error} with its last words when it ends before.
   */
  async serve(name: ProgramName, args: readonly string[], log: string, ready: RegExp): Promise<Served> {
    const output = openSync(log, 'w', 0o600);
    const child = tethered(argv(name, args), { env: this.#env(), stdio: ['ignore', output, output] });
    let hasEnded = false;
    const ended = once(child, 'exit').then(() => (hasEnded = true));
    const end = async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended;
    };
    for (;;) {
      const said = await readFile(log, 'utf8');
      if (ready.test(said)) return { said, [Symbol.asyncDispose]: end };
      if (hasEnded) throw new Error(`${name} ended: ${said.trim().slice(-1000)}`);
      if (this.#signal?.aborted === true) await end();
      await systemClock.sleep(100, this.#signal);
    }
  }

  #env(): NodeJS.ProcessEnv {
    const { OSCONFIG: _, FLEETCONFIG: __, AUTHV1_KEYS_DIR: ___, ...rest } = process.env;
    return { ...rest, HOME: this.#home };
  }
}

function succeeded(name: ProgramName, args: readonly string[], { code, stdout, stderr }: Ended): string {
  if (code === 0) return stdout;
  throw new Error(`${name} ${args.join(' ')} ended with ${code}: ${stderr.trim() || stdout.trim()}`);
}

function argv(name: ProgramName, args: readonly string[]): [string, ...string[]] {
  return [process.execPath, join(checkout, 'packages/apps', apps[name], 'bin', `${name}.js`), ...args];
}

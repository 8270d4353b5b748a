import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import { ended, killWhere, tetheredCommand } from '@nodecore/sys';
import { Backoff, systemClock } from '@nodecore/waiting';

import { LanError } from './errors.ts';
import type { Namespace } from './namespace.ts';
import { wordsOf } from './process-words.ts';

type Argv = readonly [string, ...string[]];

/** A program of this computer that serves a network from inside it. */
export type ProgramSpec = {
  /** For messages. */
  readonly name: string;
  /** In the foreground. */
  readonly argv: Argv;
  /** More arguments, asked for at each start. */
  readonly place?: () => readonly string[];
  /** It is no process of the namespace. Where it makes a ready file, that has its process id. */
  readonly isOnHost?: true;
  /** Default this process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** An argument, such as a file, that no other process has there: one that a killed process left behind is known by it. */
  readonly mark: string;
  /** What it says goes there. What the one before said is beside it, in `.1`. */
  readonly log: string;
  /** A file that it makes when it serves; or the log, when it has said this. */
  readonly ready: { readonly file: string } | { readonly words: string };
};

/** A tether is lost by who joins a user namespace: what waits for the end of the pipe ends it, whoever kills this process. */
const lifeline = `exec 3<&0
"$@" 3<&- & program=$!
{ read -r never; kill -KILL $program; } <&3 2>/dev/null & exec 3<&-
wait $program`;

const startLimitMs = 30_000;
const pollMs = 10;

/** Keeps a program running in a namespace: it ends with this process, and is started again when it ends by itself. */
export class InsideProgram implements AsyncDisposable {
  readonly #namespace: Namespace;
  readonly #spec: ProgramSpec;
  readonly #say: (line: string) => void;
  readonly #backoff = new Backoff({ firstMs: 250, largestMs: 10_000 });
  readonly #closing = new AbortController();
  #child: ChildProcess | undefined;
  #kept: Promise<void> = Promise.resolve();

  private constructor(namespace: Namespace, spec: ProgramSpec, say: (line: string) => void) {
    this.#namespace = namespace;
    this.#spec = spec;
    this.#say = say;
  }

  /**
   * Starts it, in place of one that a killed process has left. Resolves when it serves.
   *
   * @param say hears when it ended and is started again.
   * @param options `hasFormer`: default true; nobody is looked for where there is none.
   * @throws {LanError} `ERR_LAN_COMMAND` with its last words when it does not start.
   */
  static async start(
    namespace: Namespace,
    spec: ProgramSpec,
    say: (line: string) => void,
    { hasFormer = true }: { readonly hasFormer?: boolean } = {},
  ): Promise<InsideProgram> {
    const program = new InsideProgram(namespace, spec, say);
    if (hasFormer) await program.#endFormer();
    await program.#start();
    program.#kept = program.#keep();
    return program;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#kill();
    if (this.#child !== undefined) await ended(this.#child);
    await this.#kept;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      if (signal.aborted) this.#kill(); // it was started while it was to end
      if (this.#child !== undefined) await ended(this.#child);
      this.#child?.stdin?.destroy();
      if (signal.aborted) return;
      this.#say(`${this.#spec.name} ended: ${await this.#lastWords()}; it is started again`);
      await systemClock.sleep(this.#backoff.next(), signal).catch(() => {});
      if (signal.aborted) return;
      const again = this.#endFormer().then(() => this.#start());
      await again.then(
        () => this.#say(`${this.#spec.name} serves again`),
        (error: unknown) => this.#say(String(error)),
      );
    }
  }

  async #start(): Promise<void> {
    const { name, argv, place, log, ready, env } = this.#spec;
    await rename(log, `${log}.1`).catch(() => {}); // there is none
    if ('file' in ready) await rm(ready.file, { force: true });
    const output = await open(log, 'a', 0o600);
    try {
      const [file, ...words] = this.#command([...argv, ...(place?.() ?? [])]);
      const input = this.#spec.isOnHost === true ? 'pipe' : 'ignore';
      const child = spawn(file, words, {
        stdio: [input, output.fd, output.fd],
        detached: true,
        ...(env && { env }),
      });
      child.stdin?.on('error', () => {}); // nothing is ever written
      this.#child = child;
      // That of a program on the host may be there before it is written.
      const whole = this.#spec.isOnHost === true ? '\n' : '';
      await untilReady(child, 'file' in ready ? { file: ready.file, words: whole } : { file: log, ...ready });
    } catch (error) {
      this.#kill();
      throw new LanError('ERR_LAN_COMMAND', `${name} does not start: ${await this.#lastWords()}`, {
        cause: error,
      });
    } finally {
      await output.close();
    }
  }

  #command(argv: Argv): Argv {
    if (this.#spec.isOnHost === true) return ['sh', '-c', lifeline, 'sh', ...argv];
    return tetheredCommand(this.#namespace.inside(argv));
  }

  #kill(): void {
    if (this.#spec.isOnHost === true) this.#child?.stdin?.destroy();
    else this.#child?.kill('SIGKILL');
  }

  /** Of the program itself, where it is none of the namespace's; one that has ended may have left its number to another process. */
  async #candidates(): Promise<readonly number[]> {
    const { isOnHost, ready } = this.#spec;
    if (isOnHost !== true) return await this.#namespace.processes();
    if (!('file' in ready)) return [];
    const pid = Number(await readFile(ready.file, 'utf8').catch(() => ''));
    return Number.isInteger(pid) && pid > 0 ? [pid] : [];
  }

  /** A tether is lost by who changes its user, and takes a moment for others. */
  async #endFormer(): Promise<void> {
    const limit = AbortSignal.timeout(startLimitMs);
    for (;;) {
      const former: number[] = [];
      const isFormer = (pid: number): boolean => wordsOf(pid).includes(this.#spec.mark);
      for (const pid of await this.#candidates()) if (isFormer(pid)) former.push(pid);
      if (former.length === 0 || limit.aborted) return;
      for (const pid of former) killWhere(pid, () => isFormer(pid));
      await systemClock.sleep(pollMs);
    }
  }

  async #lastWords(): Promise<string> {
    const said = await readFile(this.#spec.log, 'utf8').catch(() => '');
    return said.trim().split('\n').at(-1) || 'without a word';
  }
}

async function untilReady(
  child: ChildProcess,
  { file, words = '' }: { readonly file: string; readonly words?: string },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    if (!existsSync(file)) return;
    if (words === '' || (await readFile(file, 'utf8')).includes(words)) resolve();
  };
  const watcher = watch(dirname(file), (_event, name) => {
    if (name === basename(file)) void look().catch(reject);
  });
  const exited = (): void => reject(new Error('it ended'));
  const limit = setTimeout(() => reject(new Error('it does not serve')), startLimitMs);
  child.once('error', reject);
  child.once('exit', exited);
  try {
    await look();
    await promise;
  } finally {
    clearTimeout(limit);
    watcher.close();
    child.off('exit', exited);
  }
}

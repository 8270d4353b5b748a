import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { processStat, tethered } from '@nodecore/sys';

import { etcdProgram } from './program.ts';

export type EtcdMemberOptions = {
  readonly name: string;
  readonly clientUrl: string;
  readonly peerUrl: string;
  readonly dataDirectory: string;
  /** Whatever else its command line has, without what says whether the cluster is new. */
  readonly arguments: readonly string[];
};

/** Changed by nobody: a wait for it lasts as long as it may. */
const nobody = new Int32Array(new SharedArrayBuffer(4));

/** Whether no thread of a process runs; true for one that has ended. */
function isStopped(pid: number): boolean {
  const threads = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  return threads.every((thread) => {
    const { 3: state = 'X' } = processStat(Number(thread));
    return 'TXZ'.includes(state);
  });
}

/** What the log keeps for the message of a member that does not start. */
const keptLines = 12;

/** One etcd process and its data. It dies with this process, whatever happens to it. */
export class EtcdMember {
  readonly #options: EtcdMemberOptions;
  #child: ChildProcess | undefined;
  #log: string[] = [];

  constructor(options: EtcdMemberOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get clientUrl(): string {
    return this.#options.clientUrl;
  }

  get peerUrl(): string {
    return this.#options.peerUrl;
  }

  get dataDirectory(): string {
    return this.#options.dataDirectory;
  }

  /** The file with the keys. */
  get database(): string {
    return `${this.#options.dataDirectory}/member/snap/db`;
  }

  /** Of the process that runs; undefined when none does. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The last lines of its log, newest last. */
  get log(): readonly string[] {
    return this.#log;
  }

  /** Starts it and resolves when it serves clients, which a member of several does when most of them run. */
  async start(initialCluster: string, state: 'new' | 'existing' = 'new'): Promise<void> {
    if (this.#child !== undefined) throw new Error(`${this.name} runs already`);
    const { name, clientUrl, peerUrl, dataDirectory } = this.#options;
    const child = tethered(
      [
        etcdProgram('etcd'),
        `--name=${name}`,
        `--data-dir=${dataDirectory}`,
        `--listen-client-urls=${clientUrl}`,
        `--advertise-client-urls=${clientUrl}`,
        `--listen-peer-urls=${peerUrl}`,
        `--initial-advertise-peer-urls=${peerUrl}`,
        `--initial-cluster=${initialCluster}`,
        `--initial-cluster-state=${state}`,
        ...this.#options.arguments,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env['PATH'] } },
    );
    this.#child = child;
    this.#log = [];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    createInterface(child.stderr!).on('line', (line) => {
      this.#log = [...this.#log.slice(1 - keptLines), line];
      if (line.includes('"ready to serve client requests"')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (this.#child === child) this.#child = undefined;
      reject(new Error(`${name} ended with ${code ?? signal}:\n${this.#log.join('\n')}`));
    });
    await promise;
  }

  /** Lets it end by itself. Twice is fine. */
  async stop(): Promise<void> {
    this.resume();
    await this.#end('SIGTERM');
  }

  /** Ends it in the middle of whatever it does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** It keeps its connections and answers nothing from now on, as a hung machine does. */
  pause(): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    process.kill(pid, 'SIGSTOP');
    // On a busy computer its other threads answer until the one that got the signal has its turn.
    while (!isStopped(pid)) Atomics.wait(nobody, 0, 0, 1);
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { codeOf, programNotFound, tethered } from '@nodecore/sys';

import { KvstoreError } from '../errors.ts';

/** What a member that serves no clients is started with. */
export type ApartOptions = {
  /** The program; `etcd` in the path unless given. */
  readonly etcd: string;
  /** Of its own, for its owner alone: the socket in it gives access to every key. */
  readonly directory: string;
  readonly dataDirectory: string;
  readonly name: string;
  readonly peerUrl: string;
};

const keptLines = 20;
export const socketName = 'client';
/** unix(7): 108, with the NUL behind it. */
export const longestSocketBytes = 107;

/**
 * A member that no other and no client can reach: it listens on sockets in a directory that only its owner may enter, and at no
 * port. It ends with this process, whatever happens to it.
 */
export class MemberApart implements AsyncDisposable {
  /** Where it listens for us. */
  readonly socket: string;
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  readonly #failed = Promise.withResolvers<never>();

  constructor({ etcd, directory, dataDirectory, name, peerUrl }: ApartOptions) {
    this.socket = join(directory, socketName);
    const flags = [
      `--name=${name}`,
      `--data-dir=${dataDirectory}`,
      `--listen-client-urls=unix://${socketName}`, // below its working directory
      `--advertise-client-urls=http://127.0.0.1:1`, // where nobody is
      `--listen-peer-urls=unix://peers`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=${name}=${peerUrl}`,
      '--initial-cluster-state=new',
      '--unsafe-no-fsync', // nothing of it is kept
      '--log-level=warn',
    ];
    // nice: members that serve clients go first.
    this.#child = tethered(['nice', '-n', '10', etcd, ...flags], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'] },
    });
    const closed = Promise.withResolvers<void>();
    this.#closed = closed.promise;
    let last: readonly string[] = [];
    createInterface(this.#child.stderr!).on('line', (line) => {
      last = [...last.slice(1 - keptLines), line];
    });
    this.#failed.promise.catch(() => {});
    this.#child.once('error', (error) => {
      this.#failed.reject(missing('setpriv', 'install util-linux', error));
      closed.resolve();
    });
    this.#child.once('close', (code) => {
      this.#failed.reject(code === programNotFound ? missing(etcd, installServer) : ended(etcd, last));
      closed.resolve();
    });
  }

  /** Rejects when it ends by itself. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** Ends it in order, so that its file is closed; twice is fine. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await this.#closed;
    clearTimeout(timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

const installServer = 'install it (Debian: etcd-server 3.5 or newer), or say where it is';

function missing(program: string, next: string, cause?: Error): KvstoreError {
  const words = `${codeOf(cause) === 'EACCES' ? 'may not be run' : 'is not there'}; ${next}`;
  return new KvstoreError('ERR_KVSTORE_UNSUPPORTED', program, words, { cause });
}

function ended(program: string, last: readonly string[]): KvstoreError {
  const panic = last.find((line) => /^(?:panic|fatal error): /.test(line)) ?? last.at(-1) ?? 'no word';
  return new KvstoreError('ERR_KVSTORE_FAILED', program, `ended with the restored data: ${panic}`);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { codeOf, killExactly, type ProcessIdentity } from '@nodecore/sys';
import { Signal } from '@nodecore/waiting';

import { SupervisorError } from './errors.ts';
import { dial, greeting } from './keeper-socket.ts';
import type { Bind, Seccomp } from './program.ts';

/** What a program is started with. */
export type ProgramOptions = {
  /** The program, looked for in the path of `environment`, and its arguments. */
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Kept beside the process, for who finds it; hexadecimal. */
  readonly hash: string;
  /** It ends with this process, whatever happens to that; otherwise it goes on. */
  readonly tethered: boolean;
  /** A directory of cgroup v2 that it lives in. */
  readonly cgroup?: string;
  /** What is `/` to it. */
  readonly root?: string;
  readonly binds?: readonly Bind[];
  /** Options of setpriv(1) that its keeper is started with. */
  readonly confinement?: readonly string[];
  readonly seccomp?: Seccomp;
  /** How many files it may open. */
  readonly files?: number;
  /** How willingly the kernel ends it when memory runs out: -1000 to 1000. */
  readonly oomScoreAdjust?: number;
};

/** How a program ended; both undefined: its keeper was killed, and it with that. */
export type ProgramEnd = { readonly code?: number; readonly signal?: number };

type Facts = { readonly identity: ProcessIdentity; readonly hash: string; readonly startedMs: number };

/**
 * A running program and its keeper, a small process that starts it, writes down what it prints, and outlives this one: another
 * process finds both by the directory. Everything that the program has started ends with it.
 */
export class KeptProgram implements Disposable {
  /** Of the program itself. */
  readonly identity: ProcessIdentity;
  readonly hash: string;
  /** When it was started, since 1970. */
  readonly startedMs: number;
  /** Settles when nothing of it is left; never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** Notified when it has printed something: ten times a second at most. */
  readonly printed: Signal = new Signal();
  readonly #socket: Socket | undefined;

  private constructor(directory: string, facts: Facts, socket: Socket | undefined) {
    ({ identity: this.identity, hash: this.hash, startedMs: this.startedMs } = facts);
    this.#socket = socket;
    this.ended = this.#follow(directory);
  }

  /**
   * Starts a program. What it prints goes on behind what the former one of the directory has printed.
   *
   * @param directory of this service alone; made when it is not there.
   * @throws {SupervisorError} `ERR_SERVICE_PROGRAM`; `ERR_SERVICE_BUSY` when the directory's program runs.
   */
  static async start(keeper: string, directory: string, options: ProgramOptions): Promise<KeptProgram> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const [file, ...args] = confined(options.confinement, [keeper, ...words(directory, options)]);
    const child = spawn(file, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...options.environment },
    });
    child.unref();
    const failure = once(child, 'spawn').then(
      () => undefined,
      (cause: unknown) =>
        new SupervisorError('ERR_SERVICE_PROGRAM', `${keeper} can not be started`, { cause }),
    );
    const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const failed = await failure;
    if (failed !== undefined) throw failed;
    const facts = parseFacts(said.trim());
    if (facts === undefined) throw refusal(said.trim(), errors.trim(), options.argv[0]);
    return new KeptProgram(directory, facts, await dial(directory));
  }

  /** The program of a directory, where one runs. What is left of one whose keeper was killed is ended. */
  static async find(directory: string): Promise<KeptProgram | undefined> {
    for (;;) {
      const socket = await dial(directory);
      if (socket === undefined) {
        await endOrphan(directory);
        return undefined;
      }
      const facts = parseFacts(await greeting(socket));
      if (facts !== undefined) return new KeptProgram(directory, facts, socket);
      socket.destroy(); // its keeper is ending, and soon nobody listens
    }
  }

  /** Asks it to end, and kills it after `graceMs`; resolves when nothing of it is left. Twice is fine. */
  async stop(graceMs: number): Promise<ProgramEnd> {
    this.#say(graceMs <= 0 ? 'kill' : `stop ${Math.ceil(graceMs)}`);
    return await this.ended;
  }

  /** Lets go of it: it goes on, unless it is tethered, and is nobody's until it is found. */
  [Symbol.dispose](): void {
    this.#socket?.destroy();
  }

  #say(line: string): void {
    if (this.#socket?.writable === true) this.#socket.write(`${line}\n`);
  }

  async #follow(directory: string): Promise<ProgramEnd> {
    const said = this.#socket && (await this.#said(this.#socket));
    const end = said ?? (await lastEnd(directory));
    if (end === undefined) await endOrphan(directory);
    return end ?? {};
  }

  /** What the keeper says of the end; undefined when it goes without. */
  #said(socket: Socket): Promise<ProgramEnd | undefined> {
    const { promise, resolve } = Promise.withResolvers<ProgramEnd | undefined>();
    let rest = '';
    socket.on('data', (bytes: Buffer) => {
      const lines = (rest + bytes.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('ended ')) resolve(parseEnd(line.slice('ended '.length)));
        else this.printed.notify();
      }
    });
    socket.on('close', () => resolve(undefined));
    if (socket.closed) resolve(undefined); // it was over before anybody looked
    return promise;
  }
}

/** How the program of a directory ended; undefined while one runs, or when its keeper was killed. */
export async function lastEnd(directory: string): Promise<ProgramEnd | undefined> {
  return parseEnd((await textOf(join(directory, 'ended'))).trim());
}

/** By its path: that of the program's environment leads to files of the program's own. */
function confined(
  confinement: readonly string[] = [],
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  return confinement.length === 0 ? command : ['/usr/bin/setpriv', ...confinement, '--', ...command];
}

function words(directory: string, options: ProgramOptions): string[] {
  const { argv, hash, tethered, cgroup, root, binds = [], seccomp, files, oomScoreAdjust } = options;
  return [
    directory,
    '--hash',
    hash,
    ...(tethered ? ['--parent', String(process.pid)] : []),
    ...(cgroup === undefined ? [] : ['--cgroup', cgroup]),
    ...(root === undefined ? [] : ['--root', root]),
    ...binds.flatMap(({ source, target, readOnly }) => [
      '--bind',
      `${source}:${target}${readOnly ? ':ro' : ''}`,
    ]),
    ...(seccomp === undefined ? [] : ['--seccomp', seccomp]),
    ...(files === undefined ? [] : ['--files', String(files)]),
    ...(oomScoreAdjust === undefined ? [] : ['--oom', String(oomScoreAdjust)]),
    '--',
    ...argv,
  ];
}

/** `running PID START HASH MILLISECONDS` */
function parseFacts(line: string): Facts | undefined {
  const [, pid, startTime = '', hash = '', startedMs] =
    /^(?:running )?(\d+) (\d+) ([0-9a-f-]+) (\d+)$/u.exec(line) ?? [];
  if (pid === undefined) return undefined;
  return { identity: { pid: Number(pid), startTime }, hash, startedMs: Number(startedMs) };
}

/** `code N` or `signal N`, perhaps with a time behind it. */
function parseEnd(line: string): ProgramEnd | undefined {
  const [, word, number] = /^(code|signal) (\d+)(?: \d+)?$/u.exec(line) ?? [];
  if (word === undefined) return undefined;
  return word === 'code' ? { code: Number(number) } : { signal: Number(number) };
}

function refusal(said: string, errors: string, program: string): SupervisorError {
  if (said === 'busy')
    return new SupervisorError('ERR_SERVICE_BUSY', `${program}: another process runs it already`);
  const [, number] = /^failed (\d+)$/u.exec(said) ?? [];
  const why =
    number === '2' ? 'is not there' : number === undefined ? errors : `can not be started: errno ${number}`;
  return new SupervisorError('ERR_SERVICE_PROGRAM', `${program} ${why || 'is not kept'}`);
}

/** A program that changed its credentials outlives a killed keeper: the kernel forgets who it was tethered to. */
async function endOrphan(directory: string): Promise<void> {
  if ((await lastEnd(directory)) !== undefined) return;
  const facts = parseFacts((await textOf(join(directory, 'state'))).trim());
  if (facts !== undefined) killExactly(facts.identity);
  await rm(join(directory, 'state'), { force: true });
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

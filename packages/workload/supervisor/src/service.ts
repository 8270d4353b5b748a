import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';
import { type Clock, onAbort, Serial, Signal } from '@nodecore/waiting';

import type { ServiceCgroups } from './cgroups.ts';
import { KeptProgram, lastEnd, type ProgramEnd } from './kept-program.ts';
import { type FormerLog, LogArchive, type LogPlace } from './log-archive.ts';
import { LogRing } from './log-ring.ts';
import { hashOf, type Program } from './program.ts';
import {
  mostEvents,
  type ServiceEvent,
  type ServiceState,
  type ServiceStatus,
  unknownHealth,
} from './state.ts';

export type ServiceParts = {
  /** The path of the keeper. */
  readonly keeper: string;
  /** Of all services; each has one below it. */
  readonly directory: string;
  /** Programs end with this process. */
  readonly tethered: boolean;
  readonly clock: Clock;
  readonly cgroups?: ServiceCgroups | undefined;
  /** Called with every event, in their order. */
  readonly told?: (id: string, event: ServiceEvent) => void;
  /** Called with every change of a status. */
  readonly changed?: () => void;
};

const usualGraceMs = 10_000;
/** Older pieces of a log are compressed so often at most. */
const compactMs = 10_000;

/** One service: what it is doing, its program, and what it printed. Its maker says when it runs. */
export class Service {
  readonly id: string;
  readonly log: LogRing;
  /** Notified when it has printed something, in this life or the next. */
  readonly printed: Signal = new Signal();
  readonly #parts: ServiceParts;
  readonly #directory: string;
  #status: ServiceStatus;
  #isStopping = false;
  #program: KeptProgram | undefined;
  #compactedMs = 0;
  #archive: LogArchive | undefined;
  /** Something was printed that the archive lacks. */
  #isNews = true;
  readonly #filing = new Serial();

  constructor(id: string, parts: ServiceParts) {
    this.id = id;
    this.#parts = parts;
    this.#directory = join(parts.directory, id);
    this.log = new LogRing(this.#directory);
    this.#status = {
      id,
      state: 'Initialized',
      events: [],
      health: unknownHealth,
      pid: undefined,
      startedMs: undefined,
      restarts: 0,
      missingLimits: [],
    };
  }

  get status(): ServiceStatus {
    return this.#status;
  }

  /** Says what it is doing. The same again is no event. */
  enter(state: ServiceState, message: string): void {
    const last = this.status.events.at(-1);
    if (last?.state === state && last.message === message) return;
    const event = { state, message, atMs: this.#parts.clock.now() };
    const events = [...this.status.events, event].slice(-mostEvents);
    const isQuiet = state !== 'Running' && !this.status.health.unknown;
    this.#change({ state, events, ...(isQuiet && { health: unknownHealth }) });
    this.#parts.told?.(this.id, event);
  }

  /** Says whether it does its work. @param message what was found when not. */
  setHealth(healthy: boolean, message = ''): void {
    const { health } = this.status;
    const lastMessage = healthy ? health.lastMessage : message;
    if (!health.unknown && health.healthy === healthy && health.lastMessage === lastMessage) return;
    const isNew = health.unknown || health.healthy !== healthy;
    const lastChangeMs = isNew ? this.#parts.clock.now() : health.lastChangeMs;
    this.#change({ health: { unknown: false, healthy, lastMessage, lastChangeMs } });
  }

  /** Finds the program that a former process has started. @returns whether there is one. */
  async find(): Promise<boolean> {
    if (this.#program !== undefined) return true;
    const program = await KeptProgram.find(this.#directory);
    if (program === undefined) {
      const end = await lastEnd(this.#directory);
      if (end !== undefined) this.enter('Initialized', `${shownEnd(end)} while nobody looked`);
      return false;
    }
    this.#take(program);
    this.enter('Running', `process ${program.identity.pid} goes on`);
    return true;
  }

  /**
   * Runs a program until it ends, or until the signal fires and it is ended. One that runs already and is the same goes on.
   *
   * @throws {SupervisorError} `ERR_SERVICE_PROGRAM` when it can't be started; the service has failed then.
   */
  async run(program: Program, signal: AbortSignal): Promise<ProgramEnd> {
    const kept = await this.begin(program, signal);
    if (kept === undefined) return {};
    const stopping = onAbort(signal, () => void this.stop(program.graceMs));
    try {
      const end = await kept.ended;
      if (!signal.aborted && !this.#isStopping) {
        this.#change({ restarts: this.status.restarts + 1 });
        const line = await this.log.lastLine();
        this.enter(
          end.code === 0 ? 'Finished' : 'Failed',
          line === '' ? shownEnd(end) : `${shownEnd(end)}: ${line}`,
        );
      }
      return end;
    } finally {
      stopping[Symbol.dispose]();
    }
  }

  /**
   * Has a program run: this one, which goes on when it does already.
   *
   * @returns undefined when the signal fired before. @throws {SupervisorError} `ERR_SERVICE_PROGRAM`, `ERR_SERVICE_BUSY`
   */
  async begin(program: Program, signal?: AbortSignal): Promise<KeptProgram | undefined> {
    const hash = hashOf(program);
    await this.find();
    const running = this.#program;
    if (running?.hash === hash) return running;
    if (running !== undefined) await this.stop(program.graceMs);
    if (signal?.aborted === true) return undefined;
    try {
      return await this.#start(program, hash);
    } catch (error) {
      this.enter('Failed', error instanceof Error ? error.message : String(codeOf(error)));
      throw error;
    }
  }

  /** Ends its program, and all that this has started; at once when there is none. */
  async stop(graceMs: number = usualGraceMs): Promise<void> {
    const program = this.#program;
    if (program === undefined) return;
    this.#isStopping = true;
    try {
      this.enter('Stopping', 'asked to end');
      await program.stop(graceMs);
      this.enter('Finished', 'ended as asked');
    } finally {
      this.#isStopping = false;
    }
  }

  /** Lets go of its program, which goes on unless it is tethered. */
  release(): void {
    this.#program?.[Symbol.dispose]();
  }

  /** What it printed in boots before this one, oldest first; nothing while its log has no place that outlives the boot. */
  get formerLogs(): readonly FormerLog[] {
    return this.#archive?.former ?? [];
  }

  /**
   * Brings what it has printed to where it outlives the boot; without a place, nothing is looked for there any more. What is at
   * neither was lost with it.
   *
   * @throws what the filesystem says; all that was not brought stays where it is.
   */
  async fileLog(place: LogPlace | undefined): Promise<void> {
    await this.#filing.run(async () => {
      const { segments } = this.log;
      if (place === undefined) {
        this.#archive = undefined;
        segments.archive = undefined;
        return;
      }
      this.#archive ??= await LogArchive.open(place, this.id);
      const isNew = segments.archive === undefined;
      segments.archive = this.#archive.directory;
      if (!this.#isNews && !isNew) return;
      this.#isNews = false;
      try {
        await this.#archive.take(segments);
      } catch (error) {
        this.#isNews = true;
        this.#archive = undefined; // what it was opened for may be gone, and another one there
        throw error;
      }
    });
  }

  /** Takes its cgroup away, when nothing runs in it. */
  async clear(): Promise<void> {
    if (this.#program === undefined) await this.#parts.cgroups?.remove(this.id);
  }

  async #start(program: Program, hash: string): Promise<KeptProgram> {
    const { keeper, tethered, cgroups } = this.#parts;
    const { argv, root, binds, confinement, seccomp, files, oomScoreAdjust, limits = {} } = program;
    this.enter('Preparing', 'its cgroup and files');
    const cgroup = await cgroups?.prepare(this.id, limits);
    const missingLimits = cgroup?.missing ?? Object.keys(limits);
    this.enter('Starting', argv[0]);
    const environment = { PATH: process.env['PATH'], ...program.environment };
    const kept = await KeptProgram.start(keeper, this.#directory, {
      argv,
      environment,
      hash,
      tethered,
      ...(cgroup && { cgroup: cgroup.path }),
      ...(root !== undefined && { root }),
      ...(binds && { binds }),
      ...(confinement && { confinement }),
      ...(seccomp && { seccomp }),
      ...(files !== undefined && { files }),
      ...(oomScoreAdjust !== undefined && { oomScoreAdjust }),
    });
    this.#take(kept, missingLimits);
    this.enter('Running', `process ${kept.identity.pid}`);
    return kept;
  }

  #take(program: KeptProgram, missingLimits: readonly string[] = []): void {
    this.#program = program;
    this.#change({ pid: program.identity.pid, startedMs: program.startedMs, missingLimits });
    void this.#watch(program);
  }

  async #watch(program: KeptProgram): Promise<void> {
    const over = new AbortController();
    const ended = (async () => {
      await program.ended;
      if (this.#program === program) this.#program = undefined;
      this.#change({ pid: undefined, startedMs: undefined });
      over.abort();
    })();
    while (!over.signal.aborted) {
      await program.printed.wait(over.signal).catch(() => {}); // the loop asks the signal
      this.printed.notify();
      this.#isNews = true;
      if (this.#archive !== undefined) continue; // older pieces are moved there
      const now = this.#parts.clock.now();
      if (now - this.#compactedMs < compactMs) continue;
      this.#compactedMs = now;
      await this.#filing.run(() => this.log.compact()).catch(() => {}); // the log is as good without
    }
    await ended;
  }

  #change(change: Partial<ServiceStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#parts.changed?.();
  }
}

/** In words. */
export function shownEnd({ code, signal }: ProgramEnd): string {
  if (code !== undefined) return `ended with code ${code}`;
  return signal === undefined ? 'ended with its keeper' : `ended by signal ${signal}`;
}

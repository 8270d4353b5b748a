import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { promisify } from 'node:util';

import {
  chronyConfiguration,
  type ChronyPlaces,
  chronySocket,
  type ClockSource,
  type ClockTracking,
  parseClockSources,
  parseTracking,
  type TimeSources,
} from '@nodecore/host';
import type { Program, Service, Supervisor } from '@nodecore/supervisor';
import { codeOf, writeFileAtomic } from '@nodecore/sys';

import type { Log } from '../log.ts';
import { followLines } from '../services/follow-lines.ts';

/** Who chronyd runs as. */
export type ChronydUser = { readonly name: string; readonly uid: number; readonly gid: number };

export type ChronydParts = {
  readonly log: Log;
  /** The services of the node, of which it is one. */
  readonly services: () => Promise<Supervisor>;
  /** For what it reads; those of others may look into it. */
  readonly directory: string;
  /** Its own. */
  readonly ownDirectory: string;
  readonly user: ChronydUser;
  /** Paths of the programs, or their names in the path. */
  readonly programs?: { readonly chronyd: string; readonly chronyc: string };
  /** More of its command line. */
  readonly flags?: readonly string[];
};

/** What chronyd says of the clock. */
export type ClockReport = {
  readonly tracking: ClockTracking | undefined;
  readonly sources: readonly ClockSource[];
};

const serviceId = 'chronyd';
const endMs = 2000;
const askMs = 5000;
/** It has 5 MiB and one process; more than this is a defect of its. */
const limits = { memoryHigh: 48 << 20, memoryMax: 64 << 20, processes: 16 } as const;
/** What others run is ended before it: with a wrong clock no certificate holds. */
const oomScoreAdjust = -500;

/**
 * chronyd, which sets the clock of the machine: a service while there is somebody to follow. It may set the clock and nothing
 * else of what root may.
 */
export class Chronyd implements AsyncDisposable {
  readonly #parts: ChronydParts;
  /** What it runs with, as text. */
  #read = '';
  #passing = new AbortController();
  #passed: Promise<void> | undefined;

  constructor(parts: ChronydParts) {
    this.#parts = parts;
  }

  /**
   * Follows these and nobody else.
   *
   * @param authorities PEM, trusted beside those that Node.js trusts.
   * @throws {HostError} `ERR_HOST_VALUE` for what is no server and no device; the former servers stay.
   */
  async follow(sources: TimeSources, authorities: readonly string[] = []): Promise<void> {
    const { directory } = this.#parts;
    const text = chronyConfiguration(sources, this.#places);
    const trusted = [...rootCertificates, ...authorities].join('\n');
    const read = `${text}\0${trusted}`;
    if (read === this.#read) return;
    const services = await this.#parts.services();
    await mkdir(directory, { recursive: true, mode: 0o755 });
    await writeFileAtomic(this.#places.authorities, `${trusted}\n`, { mode: 0o644 });
    await writeFileAtomic(this.#configuration, text, { mode: 0o644 });
    await this.#makeOwnDirectory();
    // One that an agent before this one has started goes on when it has read the same.
    const service = await services.define({ id: serviceId, program: this.#program(sources, read) });
    this.#passed ??= this.#passOn(service);
    this.#read = read;
  }

  /** Follows nobody: the clock goes on as it has learnt to. */
  async stop(): Promise<void> {
    this.#read = '';
    const services = await this.#parts.services().catch(() => undefined); // then it does not run either
    await services?.withdraw(serviceId);
    this.#passing.abort();
    await this.#passed;
    this.#passing = new AbortController();
    this.#passed = undefined;
  }

  /** Undefined while it does not answer. */
  async report(): Promise<ClockReport | undefined> {
    try {
      const said = await this.#ask('tracking', 'sources');
      const end = said.indexOf('\n') + 1;
      return { tracking: parseTracking(said.slice(0, end)), sources: parseClockSources(said.slice(end)) };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw error;
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  get #places(): ChronyPlaces {
    const { directory, ownDirectory } = this.#parts;
    return { directory: ownDirectory, authorities: join(directory, 'authorities.pem') };
  }

  get #configuration(): string {
    return join(this.#parts.directory, 'chrony.conf');
  }

  /** chronyd answers nobody in a directory that others may write to. What a killed one left there is in nobody's way. */
  async #makeOwnDirectory(): Promise<void> {
    const { ownDirectory, user } = this.#parts;
    await mkdir(ownDirectory, { recursive: true, mode: 0o750 });
    await chmod(ownDirectory, 0o750);
    await chown(ownDirectory, user.uid, user.gid);
    await rm(join(ownDirectory, 'chronyd.pid'), { force: true });
  }

  #program({ clocks }: TimeSources, read: string): Program {
    const { user, flags = [], programs = { chronyd: 'chronyd', chronyc: '' } } = this.#parts;
    // A clock of the machine belongs to root, and is only read.
    const rights = clocks.length > 0 ? '+sys_time,+dac_read_search' : '+sys_time';
    const confined = [
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--no-new-privs',
      `--inh-caps=-all,${rights}`,
      `--ambient-caps=-all,${rights}`,
      `--bounding-set=-all,${rights}`,
      // With other credentials the kernel forgets who it belongs to.
      '--pdeathsig=KILL',
    ];
    const words = ['-d', '-U', '-u', user.name, '-F', '1', '-f', this.#configuration];
    const argv = ['setpriv', ...confined, '--', programs.chronyd, ...words, ...flags] as const;
    return {
      argv,
      identity: { argv, read },
      graceMs: endMs,
      limits,
      oomScoreAdjust,
      seccomp: 'service',
    };
  }

  async #passOn(service: Service): Promise<void> {
    const { log } = this.#parts;
    const tell = (line: string): void => log.info({ program: 'chronyd' }, line.replace(/^\S+Z /u, ''));
    try {
      await followLines(service, await service.log.end(), tell, this.#passing.signal);
    } catch (error) {
      log.warn({ err: error }, 'what chronyd says is in its own log alone');
    }
  }

  /** The answers to several questions, one behind the other: each start of the program costs more than its questions. */
  async #ask(...commands: readonly string[]): Promise<string> {
    const { chronyc } = this.#parts.programs ?? { chronyc: 'chronyc' };
    const words = ['-h', chronySocket(this.#places), '-n', '-c', '-m', ...commands];
    const { stdout } = await promisify(execFile)(chronyc, words, { timeout: askMs });
    return stdout;
  }
}

import { join } from 'node:path';

import { type DatabaseFacts, VulnerabilityDatabase } from '@nodecore/sbom';
import { codeOf, makeDirectory } from '@nodecore/sys';
import { type Clock, systemClock } from '@nodecore/waiting';

import { FactoryError } from '../errors.ts';
import { buildInThread } from './build.ts';
import { fetchList } from './list-source.ts';
import { msUntil } from './time-of-day.ts';

/** Where vulnerabilities are told of, and when lists are read again. */
export type ScannerOptions = {
  /** Lists of Debian's tracker or of OSV, `https:` or `file:`. */
  readonly urls: readonly string[];
  /** In UTC, milliseconds since midnight. */
  readonly updateAtMs: number;
};

type Held = { readonly database: VulnerabilityDatabase; users: number };

const retryMs = 5 * 60_000;

/**
 * What is known of vulnerabilities, read again each day. Lists that can't be read, or are not to be believed, leave what there was; it is
 * tried again after five minutes.
 */
export class Vulnerabilities implements AsyncDisposable {
  readonly #path: string;
  readonly #options: ScannerOptions;
  readonly #clock: Clock;
  readonly #warn: (line: string) => void;
  readonly #closing = new AbortController();
  #held: Held | undefined;
  #generation = 0;
  #running: Promise<void> | undefined;
  #refreshing: Promise<boolean> | undefined;
  #warned = '';

  private constructor(
    path: string,
    options: ScannerOptions,
    { clock, warn }: { readonly clock: Clock; readonly warn: (line: string) => void },
  ) {
    this.#path = path;
    this.#options = options;
    this.#clock = clock;
    this.#warn = warn;
  }

  /**
   * Takes what an earlier run has left, and begins to read lists when there is nothing, or it is time.
   *
   * @param directory made when it isn't there.
   * @throws {FactoryError} with `ERR_FACTORY_SETUP` for a directory that can't be made.
   */
  static async open(
    directory: string,
    options: ScannerOptions,
    {
      clock = systemClock,
      warn,
    }: { readonly clock?: Clock | undefined; readonly warn: (line: string) => void },
  ): Promise<Vulnerabilities> {
    await makeDirectory(directory).catch((cause: unknown) => {
      const why = codeOf(cause) ?? 'can not be made';
      throw new FactoryError('ERR_FACTORY_SETUP', `${directory}: ${why}`, { cause });
    });
    const found = new Vulnerabilities(join(directory, 'advisories.db'), options, { clock, warn });
    found.#take();
    found.#running = found.#run();
    return found;
  }

  /** Of the database that there is; undefined while there is none. */
  get facts(): DatabaseFacts | undefined {
    return this.#held?.database.facts;
  }

  /** Another number for another database. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Works with the database, which stays open until that ends, whatever comes in its place.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SCAN_DATA` while there is none.
   */
  async use<T>(work: (database: VulnerabilityDatabase) => Promise<T>): Promise<T> {
    const held = this.#held;
    if (held === undefined)
      throw new FactoryError('ERR_FACTORY_SCAN_DATA', 'no list of vulnerabilities was read yet');
    held.users += 1;
    try {
      return await work(held.database);
    } finally {
      held.users -= 1;
      this.#release(held);
    }
  }

  /** Reads the lists, unless that is being done. @returns whether they were taken. */
  async refresh(): Promise<boolean> {
    this.#refreshing ??= this.#read().finally(() => (this.#refreshing = undefined));
    return await this.#refreshing;
  }

  async #read(): Promise<boolean> {
    const { signal } = this.#closing;
    const now = new Date(this.#clock.now());
    try {
      const lists = [];
      for (const url of this.#options.urls) lists.push(await fetchList(url, { signal, now }));
      await buildInThread({ path: this.#path, lists, now, former: this.facts }, signal);
      if (!this.#take()) throw new FactoryError('ERR_FACTORY_SCAN_DATA', `${this.#path}: can not be opened`);
      this.#warned = '';
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.#say(error, now);
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#release(held);
  }

  /** The first time at once, for nobody knows what has happened since the database was made. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const isDone = await this.refresh();
      const pause = isDone ? msUntil(this.#options.updateAtMs, this.#clock.now()) : retryMs;
      await this.#clock.sleep(pause, signal).catch(() => {}); // it is being closed
    }
  }

  /** What there is on the disk, in place of what was open. @returns whether there is a database. */
  #take(): boolean {
    let database: VulnerabilityDatabase;
    try {
      database = VulnerabilityDatabase.open(this.#path);
    } catch {
      return false; // there is none, or it is damaged: it is made anew
    }
    const former = this.#held;
    this.#held = { database, users: 0 };
    this.#generation += 1;
    if (former !== undefined) this.#release(former);
    return true;
  }

  #release(held: Held): void {
    if (held.users === 0 && held !== this.#held) held.database[Symbol.dispose]();
  }

  #say(error: unknown, now: Date): void {
    const why = error instanceof Error ? error.message : 'can not be read';
    const { facts } = this;
    const days = facts && Math.floor((now.getTime() - facts.built.getTime()) / 86_400_000);
    const kept = facts
      ? `those of ${facts.built.toISOString()} stay, ${days} days old`
      : 'there are none, and nothing is scanned';
    const line = `lists of vulnerabilities were not taken: ${why}; ${kept}`;
    if (line !== this.#warned) this.#warn(line);
    this.#warned = line;
  }
}

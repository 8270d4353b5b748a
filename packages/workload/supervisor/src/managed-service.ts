import { Backoff, type Clock } from '@nodecore/waiting';

import { type Probe, watchHealth } from './health.ts';
import type { ProgramEnd } from './kept-program.ts';
import type { Program } from './program.ts';
import type { Service } from './service.ts';

/** Something that a service waits for and that nobody announces: it is looked at every second. */
export type Condition = { readonly name: string; readonly isMet: () => Promise<boolean> };

/** When a program that ended by itself is started again. */
export type RestartPolicy = 'forever' | 'once' | 'untilSuccess';

/** A service that the supervisor itself starts and starts again. */
export type ServiceDefinition = {
  readonly id: string;
  readonly program: Program;
  /** Services that must run before it, and be healthy where that is known. */
  readonly needs?: readonly string[];
  /** Forever by default. */
  readonly restart?: RestartPolicy;
  readonly probe?: Probe;
  /** What else it waits for. */
  readonly conditions?: readonly Condition[];
};

/** After a failure, 1 s up to 30 s; after a minute of health the delays begin anew. */
const delays = { firstMs: 1000, largestMs: 30_000 } as const;
const steadyMs = 60_000;

/** Keeps a defined service running, until it is stopped. */
export class ManagedService {
  readonly definition: ServiceDefinition;
  readonly service: Service;
  readonly #ready: (signal: AbortSignal) => Promise<void>;
  readonly #clock: Clock;
  #ending = new AbortController();
  #running: Promise<void> | undefined;

  /** @param ready resolves when everything runs that it needs, and says so in the service's events while it waits. */
  constructor(
    definition: ServiceDefinition,
    service: Service,
    clock: Clock,
    ready: (signal: AbortSignal) => Promise<void>,
  ) {
    this.definition = definition;
    this.service = service;
    this.#clock = clock;
    this.#ready = ready;
  }

  /** Nothing when it runs already, or is waited for. */
  start(): void {
    if (this.#running !== undefined) return;
    this.#ending = new AbortController();
    const running = this.#keep(this.#ending.signal).finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
  }

  /** Resolves when nothing of it is left. It stays so until it is started. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    await this.service.stop(this.definition.program.graceMs);
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const { program, restart = 'forever' } = this.definition;
    const backoff = new Backoff({ ...delays, random: () => 0 });
    while (!signal.aborted) {
      await this.#ready(signal).catch(() => {}); // the loop asks the signal
      if (signal.aborted) break;
      const started = this.#clock.now();
      const end = await this.#once(program, signal);
      if (signal.aborted) break;
      if (restart === 'once' || (restart === 'untilSuccess' && end?.code === 0)) return;
      if (this.#clock.now() - started > steadyMs) backoff.reset();
      const delayMs = backoff.next();
      this.service.enter('Waiting', `to be started again in ${Math.ceil(delayMs / 1000)} s`);
      await this.#clock.sleep(delayMs, signal).catch(() => {}); // the loop asks the signal
    }
    if (this.service.status.state === 'Waiting') this.service.enter('Finished', 'ended as asked');
  }

  /** One life. @returns undefined when it could not be started, which its events say. */
  async #once(program: Program, signal: AbortSignal): Promise<ProgramEnd | undefined> {
    const { probe } = this.definition;
    const over = new AbortController();
    const ending = AbortSignal.any([signal, over.signal]);
    let watching: Promise<void> | undefined;
    try {
      const running = this.service.run(program, signal);
      watching = probe && watchHealth(this.service, probe, this.#clock, ending);
      return await running;
    } catch {
      return undefined;
    } finally {
      over.abort();
      await watching;
    }
  }
}

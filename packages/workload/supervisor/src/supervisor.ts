import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { flock, LOCK_EX, LOCK_NB } from '@nodecore/sys';
import { type Clock, Signal, systemClock, within } from '@nodecore/waiting';

import type { ServiceCgroups } from './cgroups.ts';
import { SupervisorError } from './errors.ts';
import { keeperProgram } from './keeper-program.ts';
import { ManagedService, type ServiceDefinition } from './managed-service.ts';
import type { LogPlace } from './log-archive.ts';
import { byNeed } from './order.ts';
import { Service, type ServiceParts } from './service.ts';
import type { ServiceEvent, ServiceStatus } from './state.ts';

/** What can be asked of a service from outside. */
export type Operation = 'start' | 'stop' | 'restart';

/** What a service allows, and how; an operation that is left out is refused. */
export type Operations = { readonly [Name in Operation]?: () => Promise<void> };

export type SupervisorOptions = {
  /** For locks, sockets and logs: it should not outlive the boot. */
  readonly directory: string;
  /** Programs end with this process, whatever happens to it; otherwise they go on, and the next one finds them. */
  readonly tethered: boolean;
  readonly cgroups?: ServiceCgroups | undefined;
  readonly clock?: Clock;
  /** The path of the keeper; what {@link keeperProgram} finds by default. */
  readonly keeper?: string;
  /** Called with every event of every service. */
  readonly told?: (id: string, event: ServiceEvent) => void;
};

const idPattern = /^[a-z0-9][\w.-]{0,62}$/iu;
/** Nothing announces what conditions rest on. */
const lookMs = 1000;
/** For all of them together. */
const stopMs = 30_000;

type Entry = {
  readonly service: Service;
  managed?: ManagedService;
  operations: Operations;
  isClaimed: boolean;
};

/** The services of a node, by id. One process at a time has them. */
export class Supervisor implements AsyncDisposable {
  /** Notified with every change of a service. */
  readonly changed: Signal = new Signal();
  readonly #parts: ServiceParts;
  readonly #lock: FileHandle;
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  private constructor(parts: ServiceParts, lock: FileHandle) {
    this.#parts = { ...parts, changed: () => this.changed.notify() };
    this.#lock = lock;
  }

  /**
   * Takes the services of a directory, with the programs that a former process has left running.
   *
   * @throws {SupervisorError} `ERR_SERVICE_BUSY` while another process has them; `ERR_SERVICE_PROGRAM` without a keeper.
   */
  static async open(options: SupervisorOptions): Promise<Supervisor> {
    const { directory, tethered, cgroups, told, clock = systemClock, keeper = keeperProgram() } = options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const lock = await open(join(directory, 'lock'), 'a', 0o600);
    try {
      if ((await flock(lock.fd, LOCK_EX | LOCK_NB)).result !== 0)
        throw new SupervisorError('ERR_SERVICE_BUSY', `another process has the services of ${directory}`);
      const supervisor = new Supervisor(
        { keeper, directory, tethered, clock, cgroups, ...(told && { told }) },
        lock,
      );
      for (const entry of await readdir(directory, { withFileTypes: true }))
        if (entry.isDirectory() && idPattern.test(entry.name)) await supervisor.#find(entry.name);
      return supervisor;
    } catch (error) {
      await lock.close();
      throw error;
    }
  }

  /** Every service, by id. */
  get list(): readonly ServiceStatus[] {
    return Array.from(this.#entries.values(), ({ service }) => service.status).toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    );
  }

  /** @throws {SupervisorError} `ERR_SERVICE_NOT_FOUND` */
  get(id: string): Service {
    return this.#entry(id).service;
  }

  /** What a service allows. @throws {SupervisorError} `ERR_SERVICE_NOT_FOUND` */
  operations(id: string): readonly Operation[] {
    return Object.keys(this.#entry(id).operations) as Operation[];
  }

  /**
   * A service whose program somebody else starts and ends, by {@link Service.run}.
   *
   * @throws {SupervisorError} `ERR_SERVICE_NAME`
   */
  claim(id: string, operations: Operations = {}): Service {
    const entry = this.#made(id);
    entry.isClaimed = true;
    entry.operations = operations;
    this.changed.notify();
    return entry.service;
  }

  /**
   * A service that is started as soon as what it needs runs, and again when it ends. One that is defined already and is the same
   * goes on.
   *
   * @throws {SupervisorError} `ERR_SERVICE_NAME`, `ERR_SERVICE_NEEDS`; nothing has changed then.
   */
  async define(definition: ServiceDefinition): Promise<Service> {
    const others = this.#definitions().filter(({ id }) => id !== definition.id);
    byNeed([...others, definition]);
    const entry = this.#made(definition.id);
    const { id } = definition;
    const former = entry.managed;
    if (former !== undefined && JSON.stringify(former.definition) === JSON.stringify(definition))
      return entry.service;
    await former?.stop();
    const managed = new ManagedService(definition, entry.service, this.#parts.clock, (signal) =>
      this.#ready(definition, entry.service, signal),
    );
    entry.managed = managed;
    entry.isClaimed = true;
    entry.operations = {
      start: async () => managed.start(),
      stop: () => managed.stop(),
      restart: async () => {
        await managed.stop();
        managed.start();
      },
    };
    if (!this.#isClosed) managed.start();
    this.changed.notify();
    return this.get(id);
  }

  /** Ends a service, and forgets it. */
  async withdraw(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    await (entry.managed?.stop() ?? entry.service.stop());
    await entry.service.clear();
    this.#entries.delete(id);
    this.changed.notify();
  }

  /**
   * Does what somebody asks for from outside.
   *
   * @throws {SupervisorError} `ERR_SERVICE_NOT_FOUND`, `ERR_SERVICE_OPERATION`
   */
  async perform(id: string, operation: Operation): Promise<void> {
    const perform = this.#entry(id).operations[operation];
    if (perform === undefined)
      throw new SupervisorError(
        'ERR_SERVICE_OPERATION',
        `service "${id}" doesn't support ${operation} operation via API`,
      );
    await perform();
  }

  /**
   * Brings what services have printed to where it outlives the boot. Without a place that is let go of: logs are only what is in
   * the directory of the supervisor then.
   *
   * @returns failures, by service: nothing of these was lost, and it is tried again with the next call.
   */
  async fileLogs(place: LogPlace | undefined): Promise<ReadonlyMap<string, unknown>> {
    const failures = new Map<string, unknown>();
    for (const [id, { service }] of this.#entries)
      await service.fileLog(place).catch((error: unknown) => failures.set(id, error));
    return failures;
  }

  /** Ends the programs that a former process has left and that nobody wants any more. */
  async endUnclaimed(): Promise<void> {
    const unclaimed = [...this.#entries].filter(([, { isClaimed }]) => !isClaimed);
    await Promise.all(unclaimed.map(([id]) => this.withdraw(id)));
  }

  /** Ends every service, dependants first; what is not over after 30 s is killed. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    const { clock } = this.#parts;
    const work = this.#stopInOrder();
    if ((await within(clock, stopMs, work)) !== undefined) return;
    await Promise.all(Array.from(this.#entries.values(), ({ service }) => service.stop(0)));
    await work;
  }

  /** Gives the services up. Programs go on for the next process, unless they are tethered. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const { service } of this.#entries.values()) service.release();
    await this.#lock.close();
  }

  async #stopInOrder(): Promise<void> {
    const definitions = this.#definitions();
    const over = new Map<string, Promise<void>>();
    const stopped = async (id: string): Promise<void> => {
      for (const { id: dependant, needs = [] } of definitions)
        if (needs.includes(id)) await over.get(dependant);
      await this.#entries.get(id)?.managed?.stop();
    };
    for (const { id } of byNeed(definitions).toReversed()) over.set(id, stopped(id));
    await Promise.all(over.values());
    const all = Array.from(this.#entries.values(), ({ service }) => service);
    await Promise.all(all.map((service) => service.stop()));
    await Promise.all(all.map((service) => service.clear()));
  }

  async #find(id: string): Promise<void> {
    const entry = this.#made(id);
    if (!(await entry.service.find())) this.#entries.delete(id);
  }

  async #ready(
    { needs = [], conditions = [] }: ServiceDefinition,
    service: Service,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const next = this.changed.next(signal);
      next.catch(() => {}); // awaited below
      const missing = needs.filter((id) => !this.#isUp(id));
      for (const { name, isMet } of conditions) if (!(await isMet())) missing.push(name);
      if (missing.length === 0) return;
      service.enter('Waiting', `for ${missing.join(', ')}`);
      await (conditions.length === 0 ? next : this.#parts.clock.sleep(lookMs, signal));
    }
  }

  #isUp(id: string): boolean {
    const { service, managed } = this.#entries.get(id) ?? {};
    const { state, health } = service?.status ?? {};
    const { restart = 'forever', probe } = managed?.definition ?? {};
    if (state === 'Skipped' || (state === 'Finished' && restart !== 'forever')) return true;
    return (
      state === 'Running' && (health?.healthy === true || (health?.unknown === true && probe === undefined))
    );
  }

  #definitions(): readonly ServiceDefinition[] {
    return Array.from(this.#entries.values()).flatMap(({ managed }) => managed?.definition ?? []);
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry;
    throw new SupervisorError('ERR_SERVICE_NOT_FOUND', `service ${JSON.stringify(id)} not defined`);
  }

  #made(id: string): Entry {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    if (!idPattern.test(id))
      throw new SupervisorError('ERR_SERVICE_NAME', `${JSON.stringify(id)} is no name of a service`);
    const service = new Service(id, this.#parts);
    const entry: Entry = { service, operations: {}, isClaimed: false };
    this.#entries.set(id, entry);
    return entry;
  }
}

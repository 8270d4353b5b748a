import type { Kind, State } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { Backoff, type Clock, systemClock } from '@nodecore/waiting';

import { Access, isSame } from './access.ts';
import type { Controller } from './controller.ts';
import { checkDeclarations } from './declarations.ts';
import { type Dependency, dependenciesOf } from './dependencies.ts';
import { RuntimeError } from './errors.ts';
import { ItemQueue, type ItemResult } from './item-queue.ts';
import { controllerItems, failureReason, type ItemReason, ItemReasons } from './item-reasons.ts';
import { keepRunning } from './keep-running.ts';
import { type Change, KindWatch } from './kind-watch.ts';
import { itemsToWake } from './wake-ups.ts';

export type RuntimeOptions = {
  readonly state: State;
  /** Where reasons for waiting are kept; default: `state`. A durable state is spared by one in memory. */
  readonly reasons?: State;
  readonly clock?: Clock;
  /** Random number in [0, 1), for jitter. */
  readonly random?: () => number;
  /** First and largest delay after failures of an item, in milliseconds: 1 s and 5 min by default. */
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  /** Told of every failure: of an item; of the watch of a kind, or of what wakes a controller from outside (`item` is undefined). */
  readonly failed?: (failure: ControllerFailure) => void;
};

export type ControllerFailure = {
  /** The controller, or the type whose watch failed. */
  readonly name: string;
  readonly item: string | undefined;
  readonly error: unknown;
};

/** What a controller has done since the runtime was made. */
export type ControllerCounts = {
  readonly controller: string;
  /** Reconciliations that have ended, also those that failed. */
  readonly runs: number;
  /** Reconciliations that failed, and ends of what wakes it from outside. */
  readonly failures: number;
};

const outdated: ReadonlySet<string> = new Set(['ERR_RESOURCE_VERSION', 'ERR_RESOURCE_PHASE']);

type Queues = ReadonlyMap<Controller, ItemQueue>;

/**
 * Runs controllers over a state: follows their inputs, wakes the items that a change concerns, tries failed ones again,
 * and keeps a resource for everything that waits.
 *
 * @example
 * const runtime = new Runtime({ state });
 * runtime.register(controller);
 * await runtime.run(signal);
 */
export class Runtime {
  readonly #options: RuntimeOptions;
  readonly #clock: Clock;
  readonly #reasons: ItemReasons;
  readonly #controllers: Controller[] = [];
  readonly #counts = new Map<string, { runs: number; failures: number }>();
  readonly #busy: string[] = [];
  #hasStarted = false;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#reasons = new ItemReasons(options.reasons ?? options.state, () => this.#clock.now());
  }

  /** @throws {RuntimeError} the declaration contradicts itself or another controller's, or the runtime runs already. */
  register(controller: Controller): void {
    if (this.#hasStarted)
      throw new RuntimeError('ERR_RUNTIME_STARTED', controller.name, 'is registered after the start');
    checkDeclarations(controller, this.#controllers);
    this.#controllers.push(controller);
    this.#counts.set(controller.name, { runs: 0, failures: 0 });
  }

  /** What each controller has done, in the order of their registration. */
  get counts(): readonly ControllerCounts[] {
    return Array.from(this.#counts, ([controller, counts]) => ({ controller, ...counts }));
  }

  /** The controllers that handle an item at the moment, once for each item. */
  get busy(): readonly string[] {
    return [...this.#busy];
  }

  /** Who reads and writes what, as registered. */
  get dependencies(): readonly Dependency[] {
    return dependenciesOf(this.#controllers);
  }

  /**
   * Runs until the signal fires, and then until every reconciliation that runs has ended. Once for each runtime.
   * A failure of a controller or of the state is tried again, and told to `failed`.
   *
   * @throws {RuntimeError} `ERR_RUNTIME_STARTED` when it was called before: two would handle each item at the same time.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#hasStarted) throw new RuntimeError('ERR_RUNTIME_STARTED', 'runtime', 'runs once');
    this.#hasStarted = true;
    await this.#reasons.begin().catch((error: unknown) => {
      this.#options.failed?.({ name: controllerItems.type, item: undefined, error });
    });
    const queues = new Map(this.#controllers.map((one) => [one, this.#queueOf(one, signal)] as const));
    await Promise.all([
      ...this.#kinds().map((kind) => this.#follow(kind, queues, signal)),
      ...Array.from(queues, ([controller, queue]) => this.#listen(controller, queue, signal)),
    ]);
    await Promise.all([...queues.values()].map((queue) => queue.drained()));
  }

  #kinds(): readonly Kind[] {
    const inputs = this.#controllers.flatMap((controller) => controller.inputs);
    return inputs.filter((input, index) => inputs.findIndex((one) => isSame(one, input)) === index);
  }

  /** Keeps a watch of the kind running, for all controllers that read it. */
  async #follow({ namespace, type }: Kind, queues: Queues, signal: AbortSignal): Promise<void> {
    const kind = { namespace, type };
    const watch = new KindWatch(this.#options.state, kind, (change) => this.#wake(kind, change, queues));
    await this.#keep(type, (ending) => watch.follow(ending), signal);
  }

  /** Keeps running what wakes a controller beside its inputs. */
  async #listen({ name, outside }: Controller, queue: ItemQueue, signal: AbortSignal): Promise<void> {
    if (outside === undefined) return;
    await this.#keep(name, (ending) => outside((item) => queue.wake(item), ending), signal);
  }

  async #keep(
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const ended = (error: unknown): void => {
      if (error !== undefined) this.#failed({ name, item: undefined, error });
    };
    await keepRunning(work, { clock: this.#clock, backoff: this.#backoff(), signal, ended });
  }

  #wake(kind: Kind, change: Change, queues: Queues): void {
    for (const [{ name, inputs }, queue] of queues) {
      for (const input of inputs.filter((one) => isSame(one, kind))) {
        try {
          for (const item of itemsToWake(input, change)) queue.wake(item);
        } catch (error) {
          // A mapping that throws is a mistake of its controller: the others are woken all the same.
          this.#options.failed?.({ name, item: undefined, error });
        }
      }
    }
  }

  #queueOf(controller: Controller, signal: AbortSignal): ItemQueue {
    const { random = Math.random, firstDelayMs = 1000, maxDelayMs = 300_000 } = this.#options;
    const { concurrency = 1 } = controller;
    const delays = { firstMs: firstDelayMs, maxMs: maxDelayMs };
    const handle = (item: string): Promise<ItemResult> => this.#handle(controller, item, queue, signal);
    const queue = new ItemQueue({ concurrency, ...delays, clock: this.#clock, random, handle }, signal);
    return queue;
  }

  async #handle(
    controller: Controller,
    item: string,
    queue: ItemQueue,
    signal: AbortSignal,
  ): Promise<ItemResult> {
    const { name } = controller;
    const access = new Access(this.#options.state, controller);
    this.#busy.push(name);
    try {
      const outcome = await controller.reconcile(item, access, signal);
      const reason = outcome && 'reason' in outcome ? outcome.reason : undefined;
      await this.#tell(
        name,
        item,
        reason === undefined ? undefined : { phase: 'waiting', reason, failures: 0 },
      );
      const afterMs = outcome && ('reason' in outcome ? outcome.retryMs : outcome.againMs);
      return afterMs === undefined ? {} : { again: { afterMs } };
    } catch (error) {
      if (signal.aborted) return {};
      // Somebody wrote in between: what it read is old, and the next look decides.
      if (outdated.has(codeOf(error) ?? '')) return { again: 'failed' };
      this.#failed({ name, item, error });
      await this.#tell(name, item, failureReason(error, queue.failuresOf(item) + 1));
      return { again: 'failed' };
    } finally {
      access.end();
      this.#busy.splice(this.#busy.indexOf(name), 1);
      const counts = this.#counts.get(name);
      if (counts !== undefined) counts.runs += 1;
    }
  }

  #failed(failure: ControllerFailure): void {
    const counts = this.#counts.get(failure.name);
    if (counts !== undefined) counts.failures += 1;
    this.#options.failed?.(failure);
  }

  /** Telling is not the work: a state that refuses it is reported, and the item goes on. */
  async #tell(name: string, item: string, reason: ItemReason | undefined): Promise<void> {
    try {
      await this.#reasons.tell(name, item, reason);
    } catch (error) {
      this.#options.failed?.({ name, item, error });
    }
  }

  #backoff(): Backoff {
    const { random = Math.random, firstDelayMs = 1000, maxDelayMs = 300_000 } = this.#options;
    return new Backoff({ firstMs: firstDelayMs, largestMs: maxDelayMs, random });
  }
}

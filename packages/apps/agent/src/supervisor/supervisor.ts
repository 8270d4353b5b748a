import { type Controller, type ControllerCounts, type ControllerFailure, Runtime } from '@nodecore/runtime';
import { memoryState, Store } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { ServiceOptions, ServicePart } from '../server/service-part.ts';
import { toldWhileSlow } from '../told-while-slow.ts';
import { type Dependency, dependenciesOf } from './dependencies.ts';
import type { Activation, Feature, FeatureLife } from './feature.ts';
import { byNeed } from './order.ts';
import { delays, superviseController } from './supervise-controller.ts';

/** A feature whose handle exists already. */
export type Given = readonly [feature: Feature<unknown>, handle: unknown];

/** Where the supervisor is: a phase, or what one feature does in it. */
export type Step = {
  readonly kind: 'phase' | 'task';
  readonly name: string;
  readonly action: 'start' | 'stop';
};

export type SupervisorOptions = {
  readonly log: Log;
  readonly clock: Clock;
  readonly given?: readonly Given[];
  /** Told of each step while a configuration becomes effective, and while everything ends. */
  readonly stepped?: (step: Step) => void;
  /** What the controllers run over; one of its own by default. */
  readonly store?: Store;
};

/** Makes features in the order of their needs, keeps their controllers running, and ends them in the opposite order. */
export class Supervisor {
  /** In the order of their needs. */
  readonly features: readonly Feature<unknown>[];
  readonly #options: SupervisorOptions;
  readonly #lives = new Map<Feature<unknown>, FeatureLife<unknown>>();
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  /** Features that have something to do in a phase. */
  readonly #busy = new Set<string>();
  readonly #runtime: Runtime;
  #isHalted = false;

  /**
   * @throws {TypeError} when a feature needs one that is not there, or itself, or has a controller that writes what the
   *   feature does not. @throws {RuntimeError} when controllers contradict each other.
   */
  constructor(features: readonly Feature<unknown>[], options: SupervisorOptions) {
    const { given = [], log, clock, store = new Store({ clock }) } = options;
    this.#options = options;
    for (const [each, handle] of given) this.#lives.set(each, { handle });
    this.features = byNeed(features, new Set(this.#lives.keys()));
    const failed = ({ name, item, error }: ControllerFailure): void =>
      log.error({ controller: name, ...(item !== undefined && { item }), err: error }, 'controller failed');
    const { firstMs: firstDelayMs, largestMs: maxDelayMs } = delays;
    this.#runtime = new Runtime({ state: memoryState(store), clock, failed, firstDelayMs, maxDelayMs });
    for (const each of this.features) {
      const life = each.make((needed) => this.handle(needed));
      this.#lives.set(each, life);
      for (const controller of life.controllers ?? []) {
        checkOutputs(each, controller);
        this.#runtime.register(controller);
      }
    }
  }

  /** How everything that runs hangs together. */
  get dependencies(): readonly Dependency[] {
    const running = this.features.map((each) => {
      const { controllers = [] } = this.#lives.get(each) ?? {};
      return { feature: each, controllers: controllers.map(({ name }) => name) };
    });
    return dependenciesOf(running, this.#runtime.dependencies);
  }

  /** What the controllers of all features did since the start. */
  get counts(): readonly ControllerCounts[] {
    return this.#runtime.counts;
  }

  handle<Handle>(feature: Feature<Handle>): Handle {
    const life = this.#lives.get(feature);
    if (life === undefined) throw new TypeError(`there is no feature ${feature.name}`);
    return life.handle as Handle;
  }

  services(options: ServiceOptions): readonly ServicePart[] {
    return this.#all().flatMap((life) => life.services?.(options) ?? []);
  }

  /** Starts every controller, then waits for what must be done before the agent counts as started. */
  async start(): Promise<void> {
    const options = { ...this.#options, signal: this.#stopping.signal };
    const begin = (name: string, work: Promise<void>): void => {
      this.#running.set(name, work);
      void work.then(() => this.#running.delete(name));
    };
    begin('controllers', this.#runtime.run(this.#stopping.signal));
    for (const each of this.features) {
      const { run } = this.#lives.get(each) ?? {};
      if (run !== undefined) begin(each.name, superviseController(each.name, run, options));
    }
    for (const { started } of this.#all()) await started?.();
  }

  /** Has everything prepared for a configuration, then makes it effective. */
  async activate(next: Activation): Promise<void> {
    await this.#phase('prepare', () => this.#tasks('prepare', this.#named(), next));
    await this.#phase('configure', async () => {
      for (const { configure } of this.#all()) configure?.(next);
    });
  }

  /**
   * Ends every controller, and then what they have left, last first. A second call does nothing: what the first one could not
   * unmount is for the next agent to take over.
   */
  async halt(options: { readonly unmount: boolean }): Promise<void> {
    if (this.#isHalted) return;
    this.#isHalted = true;
    await this.#phase('stopServices', () => this.#tasks('quiesce', this.#named().toReversed(), undefined));
    const running = (): readonly string[] => [...this.#running.keys(), ...this.#runtime.busy];
    const ended = async (): Promise<void> => {
      this.#stopping.abort();
      await Promise.all(this.#running.values());
    };
    await this.#phase('stopControllers', ended, running);
    await this.#phase('stopEverything', () =>
      this.#end((life, name) => this.#task(name, life.close && (() => life.close?.(options)))),
    );
  }

  /** Gives everything back, last first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(({ dispose }) => dispose?.());
  }

  /** One that fails keeps no other from ending: volumes are unmounted, and keys wiped, all the same. */
  async #end(step: (life: FeatureLife<unknown>, name: string) => Promise<void> | void): Promise<void> {
    await using lives = new AsyncDisposableStack();
    for (const [name, life] of this.#named()) lives.defer(async () => await step(life, name));
  }

  /** The same of one feature after the other; those that have nothing to do are no tasks. */
  async #tasks<Name extends 'prepare' | 'quiesce'>(
    name: Name,
    lives: readonly (readonly [string, FeatureLife<unknown>])[],
    next: Parameters<NonNullable<FeatureLife<unknown>[Name]>>[0],
  ): Promise<void> {
    for (const [part, life] of lives) {
      const work: ((next: never) => Promise<void>) | undefined = life[name];
      await this.#task(part, work && (() => work(next as never)));
    }
  }

  async #task(name: string, work: (() => Promise<void> | void) | undefined): Promise<void> {
    if (work === undefined) return;
    this.#busy.add(name);
    try {
      await this.#step('task', name, work);
    } finally {
      this.#busy.delete(name);
    }
  }

  /** One that takes long says on the console what it waits for: by default the features that have something to do in it. */
  async #phase(
    name: string,
    work: () => Promise<void>,
    waitsFor: () => readonly string[] = () => [...this.#busy],
  ): Promise<void> {
    await this.#step('phase', name, () => toldWhileSlow(name, waitsFor, work, this.#options));
  }

  async #step(kind: Step['kind'], name: string, work: () => Promise<void> | void): Promise<void> {
    const { stepped } = this.#options;
    stepped?.({ kind, name, action: 'start' });
    try {
      await work();
    } finally {
      stepped?.({ kind, name, action: 'stop' });
    }
  }

  #named(): (readonly [string, FeatureLife<unknown>])[] {
    return [...this.#lives].map(([{ name }, life]) => [name, life] as const);
  }

  #all(): FeatureLife<unknown>[] {
    return [...this.#lives.values()];
  }
}

/** Clients know the types that features list; a controller that wrote others would hide them. */
function checkOutputs({ name, writes }: Feature<unknown>, controller: Controller): void {
  for (const { type } of controller.outputs)
    if (!writes.some((definition) => definition.type === type))
      throw new TypeError(
        `controller ${controller.name} writes ${type}, which feature ${name} does not list`,
      );
}

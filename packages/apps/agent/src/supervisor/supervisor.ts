import type { Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { ServiceOptions, ServicePart } from '../server/service-part.ts';
import type { Activation, Feature, FeatureLife } from './feature.ts';
import { byNeed } from './order.ts';
import { superviseController } from './supervise-controller.ts';

/** A feature whose handle exists already. */
export type Given = readonly [feature: Feature<unknown>, handle: unknown];

export type SupervisorOptions = {
  readonly log: Log;
  readonly clock: Clock;
  readonly given?: readonly Given[];
};

/** Makes features in the order of their needs, keeps their controllers running, and ends them in the opposite order. */
export class Supervisor {
  /** In the order of their needs. */
  readonly features: readonly Feature<unknown>[];
  readonly #options: SupervisorOptions;
  readonly #lives = new Map<Feature<unknown>, FeatureLife<unknown>>();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>[] = [];
  #isHalted = false;

  /** @throws {TypeError} when a feature needs one that is not there, or itself. */
  constructor(features: readonly Feature<unknown>[], options: SupervisorOptions) {
    const { given = [] } = options;
    this.#options = options;
    for (const [each, handle] of given) this.#lives.set(each, { handle });
    this.features = byNeed(features, new Set(this.#lives.keys()));
    for (const each of this.features)
      this.#lives.set(
        each,
        each.make((needed) => this.handle(needed)),
      );
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
    for (const each of this.features) {
      const { run } = this.#lives.get(each) ?? {};
      if (run !== undefined) this.#running.push(superviseController(each.name, run, options));
    }
    for (const { started } of this.#all()) await started?.();
  }

  /** Has everything prepared for a configuration, then makes it effective. */
  async activate(next: Activation): Promise<void> {
    for (const { prepare } of this.#all()) await prepare?.(next);
    for (const { configure } of this.#all()) configure?.(next);
  }

  /**
   * Ends every controller, and then what they have left, last first. A second call does nothing: what the first one could not
   * unmount is for the next agent to take over.
   */
  async halt(options: { readonly unmount: boolean }): Promise<void> {
    if (this.#isHalted) return;
    this.#isHalted = true;
    for (const { quiesce } of this.#all().toReversed()) await quiesce?.();
    this.#stopping.abort();
    await Promise.all(this.#running);
    await this.#end(({ close }) => close?.(options));
  }

  /** Gives everything back, last first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(({ dispose }) => dispose?.());
  }

  /** One that fails keeps no other from ending: volumes are unmounted, and keys wiped, all the same. */
  async #end(step: (life: FeatureLife<unknown>) => Promise<void> | void): Promise<void> {
    await using lives = new AsyncDisposableStack();
    for (const life of this.#all()) lives.defer(async () => await step(life));
  }

  #all(): FeatureLife<unknown>[] {
    return [...this.#lives.values()];
  }
}

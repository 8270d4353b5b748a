import { Backoff, type Clock } from '@nodecore/waiting';

import { NodeQuestions } from './ask-node.ts';
import { extended } from './counted.ts';
import type { DashboardNode } from './dashboard-node.ts';
import { type NodeModel, noHistories } from './model.ts';

export type NodeWatchOptions = {
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Somebody should look at the model. */
  readonly onChange: () => void;
};

/** Longer than anybody pauses. */
const forever = 2 ** 31 - 1;
const noDetails = {
  pressure: undefined,
  activity: undefined,
  machine: undefined,
  volumes: undefined,
  services: undefined,
};

/** Keeps a model like its node, which is asked again and again. */
export class NodeWatch {
  readonly #options: NodeWatchOptions;
  readonly #questions: NodeQuestions;
  readonly #target: DashboardNode;
  readonly #backoff = new Backoff({ firstMs: 1_000, largestMs: 30_000 });
  #model: NodeModel;
  #mode: 'shown' | 'other' | 'paused' = 'other';
  #wake = new AbortController();

  constructor(target: DashboardNode, options: NodeWatchOptions) {
    this.#target = target;
    this.#options = options;
    this.#model = { name: target.name, histories: noHistories };
    this.#questions = new NodeQuestions(target, options.signal, () => options.clock.now());
  }

  get model(): NodeModel {
    return this.#model;
  }

  /** Only the node that is shown is asked for details; it is asked at once. While the user pauses nobody is asked. */
  setMode(mode: 'shown' | 'other' | 'paused'): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#wake.abort();
  }

  /** Goes on until the signal fires, with whose reason it rejects. */
  async run(): Promise<void> {
    for (;;) {
      this.#wake = new AbortController();
      await this.#rest(this.#mode === 'paused' ? forever : await this.#ask());
    }
  }

  /** @returns when to ask again, in milliseconds. */
  async #ask(): Promise<number> {
    const { signal, clock, intervalMs, onChange } = this.#options;
    const isShown = this.#mode === 'shown';
    const beganMs = clock.now();
    try {
      const counted = await this.#questions.counters();
      const histories = extended(this.#model.histories, counted);
      this.#answered({ ...counted, histories, ...(!isShown && noDetails) });
      if (isShown) this.#answered(await this.#questions.details());
      else this.#questions.forget();
      this.#backoff.reset();
      return Math.max(0, intervalMs - (clock.now() - beganMs));
    } catch (error) {
      signal.throwIfAborted();
      this.#questions.forget();
      const waitMs = this.#backoff.next();
      const failure = this.#target.explain(error);
      const histories = extended(this.#model.histories, {});
      this.#model = { ...this.#model, failure, histories, retryMs: clock.now() + waitMs };
      onChange();
      return waitMs;
    }
  }

  /** What is known is shown at once: the rest may take its time. */
  #answered(facts: Partial<NodeModel>): void {
    const { failure: _failure, retryMs: _retryMs, ...known } = this.#model;
    this.#model = { ...known, ...facts, answeredMs: this.#options.clock.now() };
    this.#options.onChange();
  }

  /** Until the time is over, or the mode changes. */
  async #rest(ms: number): Promise<void> {
    const { clock, signal } = this.#options;
    try {
      await clock.sleep(ms, AbortSignal.any([signal, this.#wake.signal]));
    } catch {
      signal.throwIfAborted(); // else it was woken
    }
  }
}

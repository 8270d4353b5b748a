import type { PressureAlert } from '@nodecore/cgroup';
import type { Observation } from '@nodecore/pressure-policy';
import { Latest, type Serial } from '@nodecore/waiting';

import { judge, type JudgeParts, rulesOf } from './judge.ts';

export type PolicyRunParts = JudgeParts & {
  /** One policy at a time looks and acts: the next one sees what the one before has done. */
  readonly turn: Serial;
  /** Called after every change of what is shown. */
  readonly changed: () => void;
};

/** What a policy is doing. `arming`: the kernel was not asked yet, or refused. */
export type PolicyPhase = 'arming' | 'watching' | 'pressure';

/** One policy: waits for the kernel, looks as long as the pressure lasts, and decides. */
export class PolicyRun {
  readonly #parts: PolicyRunParts;
  readonly #rules: ReturnType<typeof rulesOf>;
  /** Alerts are heard while something is done about the one before. */
  #alerts = new Latest<PressureAlert>();
  #phase: PolicyPhase = 'arming';
  #alertCount = 0;
  #sampled: boolean | undefined;
  #lastAlertNs: bigint | undefined;
  #lastAlertMs: number | undefined;
  #lastDecisionNs: bigint | undefined;
  #expressionError: string | undefined;

  constructor(parts: PolicyRunParts) {
    this.#parts = parts;
    this.#rules = rulesOf(parts.policy);
  }

  get policy(): PolicyRunParts['policy'] {
    return this.#parts.policy;
  }

  get phase(): PolicyPhase {
    return this.#phase;
  }

  get alertCount(): number {
    return this.#alertCount;
  }

  /** Whether the last alert was found by looking instead of being told by the kernel; undefined before the first. */
  get sampled(): boolean | undefined {
    return this.#sampled;
  }

  /** CLOCK_MONOTONIC. */
  get lastAlertNs(): bigint | undefined {
    return this.#lastAlertNs;
  }

  /** Milliseconds since the epoch. */
  get lastAlertMs(): number | undefined {
    return this.#lastAlertMs;
  }

  /** Why the trigger expression could not be evaluated at the last look. */
  get expressionError(): string | undefined {
    return this.#expressionError;
  }

  /** Watches until the signal fires. @throws what the kernel refuses, and when the cgroup that is watched goes. */
  async run(signal: AbortSignal): Promise<void> {
    const { engine, policy } = this.#parts;
    this.#alerts = new Latest(); // what was heard before the last failure is nothing to act on
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    const together = async (part: Promise<void>): Promise<void> => {
      try {
        await part;
      } finally {
        ended.abort(); // neither goes on without the other
      }
    };
    try {
      await using watch = await engine.watch(policy.trigger, both);
      this.#show('watching');
      // Both are waited for: an action that has begun is not left alone.
      const ends = await Promise.allSettled([together(this.#listen(watch)), together(this.#react(both))]);
      signal.throwIfAborted();
      for (const end of ends) if (end.status === 'rejected' && !isAbort(end.reason, both)) throw end.reason;
    } finally {
      this.#show('arming');
    }
  }

  async #listen(watch: AsyncIterable<PressureAlert>): Promise<void> {
    for await (const alert of watch) {
      this.#alertCount += 1;
      this.#sampled = alert.sampled;
      this.#lastAlertNs = this.#parts.engine.nowNs();
      this.#lastAlertMs = this.#parts.clock.now();
      this.#alerts.set(alert);
      this.#parts.changed();
    }
  }

  async #react(signal: AbortSignal): Promise<void> {
    for await (const alert of this.#alerts.changes(signal)) {
      this.#show('pressure');
      await this.#episode(alert, signal);
      if (!signal.aborted) this.#show('watching');
    }
  }

  /** Looks until the policy decides, or the kernel says nothing any more. */
  async #episode(alert: PressureAlert, signal: AbortSignal): Promise<void> {
    const { engine, policy, clock, turn } = this.#parts;
    let before: Observation | undefined;
    const look = async (): Promise<boolean> => {
      const now = await engine.observe(this.#rules, signal);
      const fires = this.#fires(now, before);
      if (fires) {
        await judge(this.#parts, this.#alerts.value ?? alert, { now, before }, signal);
        this.#lastDecisionNs = engine.nowNs();
      }
      before = now;
      return fires;
    };
    while (!signal.aborted && this.#isPressing()) {
      if (await turn.run(look, signal)) return;
      await clock.sleep(policy.sampleIntervalMs, signal);
    }
  }

  /** Whether the kernel said something within two windows: as long as there is pressure it does so about once in each. */
  #isPressing(): boolean {
    const { engine, policy } = this.#parts;
    if (this.#lastAlertNs === undefined) return false;
    return engine.nowNs() - this.#lastAlertNs <= BigInt(policy.trigger.windowUs) * 2000n;
  }

  #fires(now: Observation, before: Observation | undefined): boolean {
    const { engine, policy } = this.#parts;
    const since = this.#lastDecisionNs === undefined ? undefined : engine.nowNs() - this.#lastDecisionNs;
    const { fires, error } = policy.triggerExpression.evaluate({ now, before, sinceTriggerNs: since });
    // The first look has no rates: an expression that asks for one waits for the second.
    if (before !== undefined && error !== this.#expressionError) {
      this.#expressionError = error;
      this.#parts.changed();
    }
    return fires;
  }

  #show(phase: PolicyPhase): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#parts.changed();
  }
}

/** Whether a failure is only that the other part had ended. */
function isAbort(reason: unknown, signal: AbortSignal): boolean {
  return signal.aborted && reason === signal.reason;
}

import type { PressurePolicy } from '@nodecore/config';
import type { Json, Store } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { type Clock, Latest, Serial } from '@nodecore/waiting';

import { superviseController } from '../supervisor/supervise-controller.ts';
import type { Log } from '../log.ts';
import { pressurePolicySpec } from './pressure-spec.ts';
import type { ReleaseReason } from './decision.ts';
import { Decisions } from './decisions.ts';
import { MachineEngine, type PressureEngine } from './engine.ts';
import type { Hold } from './hold.ts';
import { Holds } from './holds.ts';
import { PolicyRun } from './policy-run.ts';
import { Releases } from './releases.ts';

export type PressureParts = {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly runDirectory: string;
  /** Where decisions are kept. */
  readonly directory: () => Promise<string>;
  readonly engine?: PressureEngine;
};

type Running = {
  readonly run: PolicyRun;
  /** What of its document matters. */
  readonly text: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  failure: { readonly code: string | undefined; readonly message: string } | undefined;
};

/** Runs the pressure policies of the configuration. `pressureController` shows them, and has what they did undone. */
export class PressurePolicies {
  readonly #parts: PressureParts;
  readonly #engine: PressureEngine;
  readonly #decisions: Decisions;
  readonly #holds: Holds;
  readonly #releases: Releases;
  readonly #turn = new Serial();
  readonly #running = new Map<string, Running>();
  readonly #changes = new Latest<object>();
  #begun: Promise<void> | undefined;

  constructor(parts: PressureParts) {
    const { engine = new MachineEngine(), log } = parts;
    this.#parts = parts;
    this.#engine = engine;
    this.#decisions = new Decisions(parts);
    this.#holds = new Holds({ ...parts, engine });
    this.#releases = new Releases({ engine, holds: this.#holds, log });
  }

  /**
   * Which policies there are. One that changed is ended, what it did is undone, and it begins anew; the others go on as
   * if nothing were.
   */
  async configure(policies: readonly PressurePolicy[]): Promise<void> {
    await this.begin();
    await this.#decisions.load();
    const wanted = new Map(policies.map((policy) => [policy.id, { policy, text: textOf(policy) }]));
    for (const [id, { text }] of this.#running)
      if (wanted.get(id)?.text !== text) await this.#end(id, 'configuration');
    for (const [id, { policy, text }] of wanted)
      if (!this.#running.has(id)) this.#running.set(id, this.#start(policy, text));
    this.#changed();
  }

  /** What an earlier run of the agent left behind is undone first. Should there still be pressure, it is decided anew. */
  begin(): Promise<void> {
    this.#begun ??= this.#takeOver();
    return this.#begun;
  }

  /** Yields when there may be something to show or to undo, until the signal fires. */
  changes(signal: AbortSignal): AsyncIterable<unknown> {
    return this.#changes.changes(signal);
  }

  /** Undoes what is to be undone now. @returns milliseconds until there is more to undo; undefined when nothing is held. */
  async undo(): Promise<number | undefined> {
    const due = this.#releases.due((id) => this.#running.get(id)?.run.lastAlertNs);
    for (const { hold, reason } of due.now) await this.#release(hold, reason);
    return due.restMs;
  }

  /** What each policy does, as the specs of `PressurePolicies`. */
  statuses(): ReadonlyMap<string, Json> {
    const specs = [...this.#running.values()].map(({ run, failure }): [string, Json] => {
      if (run.phase !== 'arming') this.#forgive(run.policy.id);
      const held = this.#holds.all.filter(({ policy }) => policy === run.policy.id);
      return [run.policy.id, pressurePolicySpec(run, held, run.phase === 'arming' ? failure : undefined)];
    });
    return new Map(specs);
  }

  /** Ends every policy and undoes all that they did: nothing would thaw it afterwards. */
  async close(): Promise<void> {
    for (const id of this.#running.keys()) await this.#end(id, 'shutdown');
    for (const hold of this.#holds.all) await this.#release(hold, 'shutdown');
    await this.#decisions.settled();
    await this.#engine[Symbol.asyncDispose]();
  }

  async #takeOver(): Promise<void> {
    await this.#holds.load();
    for (const hold of this.#holds.all) await this.#release(hold, 'restart');
    this.#changed(); // what could not be undone is tried again
  }

  #start(policy: PressurePolicy, text: string): Running {
    const { log, clock } = this.#parts;
    const stop = new AbortController();
    const run = new PolicyRun({
      policy,
      engine: this.#engine,
      decisions: this.#decisions,
      holds: this.#holds,
      turn: this.#turn,
      clock,
      log,
      changed: () => this.#changed(),
    });
    const guarded = async (signal: AbortSignal): Promise<void> => {
      try {
        await run.run(signal);
      } catch (error) {
        if (!signal.aborted) running.failure = failureOf(error);
        this.#changed();
        throw error;
      }
    };
    const { signal } = stop;
    const ended = superviseController(`pressure policy ${policy.id}`, guarded, { log, clock, signal });
    const running: Running = { run, text, stop, ended, failure: undefined };
    return running;
  }

  async #end(id: string, reason: ReleaseReason): Promise<void> {
    const running = this.#running.get(id);
    running?.stop.abort();
    await running?.ended;
    this.#running.delete(id);
    for (const hold of this.#holds.all) if (hold.policy === id) await this.#release(hold, reason);
  }

  async #release(hold: Hold, reason: ReleaseReason): Promise<void> {
    const { clock, log } = this.#parts;
    const { path, kind, policy } = hold;
    const nothing = await this.#releases.release(hold);
    if (nothing === 'failed') return this.#changed(); // another attempt
    const released = { time: new Date(clock.now()).toISOString(), reason: nothing ?? reason };
    log.info({ policy, path, action: kind, reason: released.reason }, 'pressure: undone');
    this.#decisions.update(hold.decision, { released });
    this.#changed();
  }

  #changed(): void {
    this.#changes.set({});
  }

  #forgive(id: string): void {
    const running = this.#running.get(id);
    if (running !== undefined) running.failure = undefined;
  }
}

/** Two policies that have the same text do the same. */
function textOf({ triggerExpression, ranking, ...policy }: PressurePolicy): string {
  const values = { ...policy, triggerExpression: triggerExpression.text, ranking: ranking.text };
  return JSON.stringify(values, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

function failureOf(error: unknown): Running['failure'] {
  return { code: codeOf(error), message: error instanceof Error ? error.message : String(error) };
}

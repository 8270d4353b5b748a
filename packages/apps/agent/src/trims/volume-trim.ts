import { type Eligibility, type Plan, planTrim } from '@nodecore/trim';

import type { LastTrim, TrimRecord } from './record.ts';
import type { Outcome, TrimRun } from './trim-run.ts';

/** What fails for a reason that time may mend is tried again after these pauses, then at the next slot. */
const retryMs = [600_000, 1_800_000, 5_400_000] as const;

/** What is known of the trims of one volume. */
export class VolumeTrim {
  readonly id: string;
  readonly nodeId: string;
  /** The one that waits or goes on. */
  run: TrimRun | undefined;
  /** Of the mount, when it was last looked at; undefined before the first look. */
  verdict: Eligibility | undefined;
  record: TrimRecord;
  #intervalMs: number | undefined;
  #plan: Plan | undefined;
  #watchedSinceMs: number;
  #failures = 0;
  #retryAtMs: number | undefined;

  constructor(id: string, nodeId: string, record: TrimRecord, nowMs: number) {
    this.id = id;
    this.nodeId = nodeId;
    this.record = record;
    this.#watchedSinceMs = nowMs;
  }

  /** Undefined: trimmed on request only. */
  get intervalMs(): number | undefined {
    return this.#intervalMs;
  }

  /** As it was found last. */
  get nextPlan(): Plan | undefined {
    return this.#plan;
  }

  schedule(intervalMs: number | undefined, nowMs: number): void {
    if (intervalMs === this.#intervalMs) return;
    // Slots from before the schedule began are not missed ones.
    if (this.record.handledMs === 0) this.record = { ...this.record, handledMs: nowMs };
    this.#intervalMs = intervalMs;
    this.#watchedSinceMs = nowMs;
    this.#plan = undefined;
  }

  /** The next trim of its own; undefined without a schedule. The moment of catching up is kept in the record. */
  plan(nowMs: number): Plan | undefined {
    const intervalMs = this.#intervalMs;
    if (intervalMs === undefined) return undefined;
    const { handledMs, catchUpMs } = this.record;
    const plan = planTrim({
      nodeId: this.nodeId,
      volumeId: this.id,
      intervalMs,
      nowMs,
      watchedSinceMs: this.#watchedSinceMs,
      handledMs,
      ...(catchUpMs !== undefined && { catchUpMs }),
    });
    if (plan.why === 'missed' && catchUpMs === undefined)
      this.record = { ...this.record, catchUpMs: plan.atMs };
    this.#plan = this.#retryAtMs === undefined ? plan : { ...plan, atMs: this.#retryAtMs };
    return this.#plan;
  }

  /** Notes that a trim gets its turn. */
  begun(run: TrimRun, startedMs: number): void {
    const nothing = { durationMs: 0, pausedMs: 0, ranges: 0, trimmedBytes: 0n };
    const last: LastTrim = { trigger: run.trigger, startedMs, outcome: 'running', ...nothing };
    this.record = { ...this.record, attempts: this.record.attempts + 1, last };
  }

  /** @param stopping whether the agent ends, so that an abort is no withdrawal by the caller. */
  ended(run: TrimRun, outcome: Outcome, at: { readonly nowMs: number; readonly stopping: boolean }): void {
    this.run = undefined;
    const { startedMs } = run;
    if (startedMs === undefined) return; // it never got its turn
    const { handledMs, catchUpMs, last } = this.record;
    const handled = this.#isHandled(run, outcome, at.nowMs);
    this.record = {
      handledMs: handled ? Math.max(handledMs, startedMs) : handledMs,
      ...(catchUpMs !== undefined && !handled && { catchUpMs }),
      attempts: 0,
      last: { ...(last as LastTrim), ...summary(run, outcome, at) },
    };
  }

  #isHandled(run: TrimRun, outcome: Outcome, nowMs: number): boolean {
    if (outcome.kind === 'done') {
      this.#failures = 0;
      this.#retryAtMs = undefined;
      return true;
    }
    if (outcome.kind !== 'failed' || run.trigger === 'request') return false;
    const pauseMs = outcome.permanence === 'transient' ? retryMs[this.#failures] : undefined;
    this.#failures = pauseMs === undefined ? 0 : this.#failures + 1;
    this.#retryAtMs = pauseMs === undefined ? undefined : nowMs + pauseMs;
    return pauseMs === undefined;
  }
}

function summary(
  run: TrimRun,
  outcome: Outcome,
  { nowMs, stopping }: { readonly nowMs: number; readonly stopping: boolean },
): Partial<LastTrim> {
  const {
    pausedMs = 0,
    ranges = 0,
    trimmedBytes = 0n,
  } = outcome.kind === 'done' ? outcome.report : (run.progress ?? {});
  const sums = { durationMs: Math.max(0, nowMs - (run.startedMs ?? nowMs)), pausedMs, ranges, trimmedBytes };
  if (outcome.kind === 'done') return { ...sums, outcome: 'done' };
  if (outcome.kind !== 'failed') return { ...sums, outcome: stopping ? 'interrupted' : 'aborted' };
  const { code, message, permanence } = outcome;
  return { ...sums, outcome: 'failed', code, message, permanence };
}

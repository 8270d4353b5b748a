import type { Json } from '@nodecore/state';
import type { Eligibility } from '@nodecore/trim';

import type { LastTrim } from './record.ts';
import type { VolumeTrim } from './volume-trim.ts';

/** What is known of the trims of a volume, as the spec of a `VolumeTrimStatuses` resource. */
export function volumeTrimSpec(
  { intervalMs, run, record, nextPlan }: VolumeTrim,
  verdict: Eligibility,
): Json {
  const progress = run?.progress;
  return {
    phase: run?.state ?? (intervalMs === undefined ? 'off' : verdict.eligible ? 'scheduled' : 'skipped'),
    intervalSeconds: intervalMs === undefined ? undefined : Math.round(intervalMs / 1000),
    ...(verdict.eligible
      ? { disks: verdict.disks }
      : { skipped: verdict.reason, skippedMessage: verdict.message }),
    ...(nextPlan !== undefined && { next: timeOf(nextPlan.atMs), nextReason: nextPlan.why }),
    ...(run !== undefined && { trigger: run.trigger }),
    ...(progress !== undefined && {
      doneBytes: progress.doneBytes,
      totalBytes: progress.totalBytes,
      donePercent: percent(progress.doneBytes, progress.totalBytes),
      ranges: progress.ranges,
      trimmedBytes: progress.trimmedBytes,
      pausedMs: progress.pausedMs,
    }),
    ...(record.last !== undefined && { last: lastSpec(record.last) }),
  };
}

function lastSpec(last: LastTrim): Json {
  const { trigger, startedMs, outcome, ranges, trimmedBytes, durationMs, pausedMs } = last;
  const { code: errorCode, message: errorMessage, permanence } = last;
  return {
    trigger,
    started: timeOf(startedMs),
    outcome,
    ranges,
    trimmedBytes,
    durationMs,
    pausedMs,
    errorCode,
    errorMessage,
    permanence,
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

function percent(done: bigint, total: bigint): number {
  return total === 0n ? 100 : Number((done * 100n) / total);
}

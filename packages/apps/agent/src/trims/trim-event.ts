import { prettySize } from '@nodecore/selector';
import type { Permanence, TrimProgress } from '@nodecore/trim';

import type { Finding } from './engine.ts';
import type { Outcome, TrimRun } from './trim-run.ts';

/** What becomes of one volume of a request. The last of a volume is `planned`, `done`, `skipped` or `failed`. */
export type TrimEvent = {
  readonly volume: string;
  readonly state: 'planned' | 'queued' | TrimProgress['state'] | 'done' | 'skipped' | 'failed';
  readonly disks: readonly string[];
  readonly progress?: Omit<TrimProgress, 'state'>;
  readonly durationMs?: number;
  readonly message: string;
  readonly code?: string;
  readonly permanence?: Permanence;
};

/** What a trim would do. */
export function plannedEvent(volume: string, { verdict, sizeBytes }: Finding): TrimEvent {
  if (!verdict.eligible) return skippedEvent(volume, verdict.reason, verdict.message);
  const { disks } = verdict;
  return {
    volume,
    state: 'planned',
    disks,
    message: `would trim ${prettySize(sizeBytes)} on ${disks.join(', ')}`,
  };
}

/** The last event of a volume that is not trimmed; `code` is the verdict's reason, and no disk is named. */
export function skippedEvent(volume: string, code: string, message: string): TrimEvent {
  return { volume, state: 'skipped', disks: [], code, message };
}

/** The state of a run at the moment of the call; `progress` is absent until the trim has reported some. */
export function runningEvent(volume: string, { state, disks, progress }: TrimRun): TrimEvent {
  const message =
    state === 'queued' ? `waits for ${disks.join(', ')}` : state === 'paused' ? 'others wait for I/O' : '';
  return { volume, state, disks, message, ...(progress !== undefined && { progress }) };
}

/** The last event of a volume. A run that was aborted comes out as `failed`, with `ERR_TRIM_ABORTED`, transient. */
export function finalEvent(volume: string, { disks, progress }: TrimRun, outcome: Outcome): TrimEvent {
  if (outcome.kind === 'skipped') return skippedEvent(volume, outcome.reason, outcome.message);
  if (outcome.kind === 'done') {
    const { report } = outcome;
    return { volume, state: 'done', disks, progress: report, durationMs: report.durationMs, message: '' };
  }
  const { code, message, permanence } = outcome.kind === 'failed' ? outcome : aborted;
  return { volume, state: 'failed', disks, ...(progress && { progress }), code, message, permanence };
}

const aborted = {
  code: 'ERR_TRIM_ABORTED',
  message: 'it was ended before it was through',
  permanence: 'transient',
} as const;

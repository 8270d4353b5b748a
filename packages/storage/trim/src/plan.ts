import { fnv1a64 } from './fnv.ts';
import { slotAfter, slotBefore, slotsOf, toMs, toNanos } from './schedule.ts';

/** What has to be known to say when a volume is trimmed next. Times are milliseconds since the epoch. */
export type PlanInput = {
  readonly nodeId: string;
  readonly volumeId: string;
  readonly intervalMs: number;
  readonly nowMs: number;
  /** Since when somebody looks out for the slots: the start of the agent, or the change of the interval. */
  readonly watchedSinceMs: number;
  /** Slots up to here are done with: the begin of the last trim, or the moment when trims were asked for first. */
  readonly handledMs: number;
  /** The moment that an earlier run had found for catching up. */
  readonly catchUpMs?: number;
};

export type Plan = {
  /** When to trim; now or in the past: it is due. */
  readonly atMs: number;
  readonly why: 'slot' | 'missed';
};

/** After a start a node has more urgent things to do. */
const graceMs = 15 * 60_000;
const longestSpreadMs = 6 * 3_600_000;

/**
 * When to trim next.
 *
 * A slot that passed while nobody looked is caught up once. Nodes that come back together, or that were given a shorter
 * interval together, do so spread over a quarter of the interval (six hours at most), each at its own moment. That moment is
 * worth keeping: one that is found anew after every boot might never come.
 */
export function planTrim(input: PlanInput): Plan {
  const { nodeId, volumeId, intervalMs, nowMs, watchedSinceMs, handledMs, catchUpMs } = input;
  const slots = slotsOf(nodeId, volumeId, intervalMs);
  const now = toNanos(nowMs);
  const current = toMs(slotBefore(slots, now));
  const next = toMs(slotAfter(slots, now));
  if (handledMs >= current) return { atMs: next, why: 'slot' };
  if (current >= watchedSinceMs) return { atMs: current, why: 'slot' };
  const calmMs = watchedSinceMs + graceMs;
  const spread = (rangeMs: number): number =>
    Number(fnv1a64(`${nodeId}/${volumeId}/missed`) % BigInt(Math.max(1, Math.round(rangeMs))));
  const atMs =
    catchUpMs === undefined
      ? calmMs + spread(Math.min(intervalMs / 4, longestSpreadMs))
      : Math.max(catchUpMs, calmMs + spread(graceMs));
  return next <= atMs ? { atMs: next, why: 'slot' } : { atMs, why: 'missed' };
}

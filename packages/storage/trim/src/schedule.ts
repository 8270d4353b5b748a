import { fnv1a64 } from './fnv.ts';

/** Moments `offset + k · interval` since the Unix epoch, for every integer k. Nanoseconds, interval above 0. */
export type Slots = { readonly offset: bigint; readonly interval: bigint };

const nanosPerMs = 1_000_000n;

/**
 * When a node trims a volume. The same node and volume have the same slots on every boot without anything being stored, and
 * the slots of many nodes and volumes spread evenly over the interval.
 */
export function slotsOf(nodeId: string, volumeId: string, intervalMs: number): Slots {
  const interval = Number.isFinite(intervalMs) ? toNanos(intervalMs) : 0n;
  if (interval <= 0n) throw new TypeError(`an interval of ${intervalMs} ms has no slots`);
  return { offset: fnv1a64(`${nodeId}/${volumeId}`) % interval, interval };
}

/** The latest slot that is not after `at` (nanoseconds since the epoch). */
export function slotBefore({ offset, interval }: Slots, at: bigint): bigint {
  const since = at - offset;
  const rest = ((since % interval) + interval) % interval; // floor, also before the first slot
  return at - rest;
}

/** The first slot after `at` (nanoseconds since the epoch). */
export function slotAfter(slots: Slots, at: bigint): bigint {
  return slotBefore(slots, at) + slots.interval;
}

/** Rounds to whole milliseconds first. @throws {RangeError} for a number that is not finite. */
export function toNanos(ms: number): bigint {
  return BigInt(Math.round(ms)) * nanosPerMs;
}

/** Rounded up: the moment is never after the result. */
export function toMs(nanos: bigint): number {
  return Number((nanos + nanosPerMs - 1n) / nanosPerMs);
}

/** Which snapshots are kept. What several rules keep is kept once. */
export type Retention = {
  /** The newest so many; at least 1. */
  readonly last: number;
  /** The newest of each of so many days (UTC) that have one; none unless given. */
  readonly daily?: number | undefined;
  /** The newest of each of so many weeks, which begin on Mondays (UTC), that have one; none unless given. */
  readonly weekly?: number | undefined;
};

const dayMs = 86_400_000;
/** The first day of the epoch was a Thursday. */
const mondayMs = 4 * dayMs;

/** The snapshots that no rule keeps. Counted in snapshots, not by the clock: one that was set wrong removes nothing more. */
export function expired<Snapshot extends { readonly takenMs: number }>(
  snapshots: readonly Snapshot[],
  { last, daily = 0, weekly = 0 }: Retention,
): Snapshot[] {
  if (!(last >= 1)) throw new RangeError('the last snapshot is always kept');
  const newestFirst = snapshots.toSorted((a, b) => b.takenMs - a.takenMs);
  const kept = new Set([
    ...newestFirst.slice(0, last),
    ...newestOfEach(newestFirst, daily, ({ takenMs }) => Math.floor(takenMs / dayMs)),
    ...newestOfEach(newestFirst, weekly, ({ takenMs }) => Math.floor((takenMs - mondayMs) / (7 * dayMs))),
  ]);
  return snapshots.filter((snapshot) => !kept.has(snapshot));
}

function newestOfEach<Snapshot>(
  newestFirst: readonly Snapshot[],
  periods: number,
  periodOf: (snapshot: Snapshot) => number,
): Snapshot[] {
  const seen = new Set<number>();
  return newestFirst.filter((snapshot) => {
    const period = periodOf(snapshot);
    if (seen.has(period) || seen.size >= periods) return false;
    seen.add(period);
    return true;
  });
}

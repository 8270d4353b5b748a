import type { CgroupFileInit, CounterRateInit } from '@nodecore/api/cgroup';
import { type CgroupNode, countersOf, rate } from '@nodecore/cgroup';

type Which = { readonly file: string; readonly index: number; readonly elapsedNs: bigint };

/** A file in the form of the API; undefined when it is as it was, or still absent. */
export function changedFile(
  { file, index, elapsedNs }: Which,
  before: CgroupNode | undefined,
  after: CgroupNode,
): CgroupFileInit | undefined {
  // Most files of most cgroups: no text is made of them.
  if (before !== undefined && after.isSame(file, before)) return undefined;
  const errno = after.refused().get(file);
  if (errno !== undefined) return { file: index, errno: -errno };
  const text = after.text(file);
  if (text === undefined) return before === undefined ? undefined : { file: index, absent: true };
  const earlier = before?.text(file);
  return { file: index, text, rates: earlier === undefined ? [] : ratesOf(file, earlier, text, elapsedNs) };
}

/** Of the counters that are not as they were. */
function ratesOf(file: string, before: string, after: string, elapsedNs: bigint): CounterRateInit[] {
  if (elapsedNs <= 0n) return [];
  const earlier = countersOf(file, before);
  return [...countersOf(file, after)].flatMap(([counter, value]) => {
    const old = earlier.get(counter);
    if (old === undefined) return [{ counter, reset: true }];
    if (old === value) return [];
    const found = rate(old, value, elapsedNs);
    return ['reset' in found ? { counter, reset: true } : { counter, perSecond: found.perSecond }];
  });
}

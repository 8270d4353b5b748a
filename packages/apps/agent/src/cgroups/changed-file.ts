import type { CgroupFileInit, CounterRateInit } from '@nodecore/api/cgroup';
import { type CgroupNode, countersOf, rate } from '@nodecore/cgroup';

/** What a file said: its text, the errno of a refusal, or nothing where it is absent. */
export type FileState = string | number | undefined;

/** Of each of the files, in their order. */
export function stateOf(node: CgroupNode, files: readonly string[]): FileState[] {
  const refused = node.refused();
  return files.map((file) => {
    const errno = refused.get(file);
    return errno === undefined ? node.text(file) : -errno;
  });
}

type Which = { readonly file: string; readonly index: number; readonly elapsedNs: bigint };

/** A file in the form of the API; undefined when it is as it was, or still absent. */
export function changedFile(
  { file, index, elapsedNs }: Which,
  before: FileState,
  after: FileState,
): CgroupFileInit | undefined {
  if (before === after) return undefined;
  if (after === undefined) return { file: index, absent: true };
  if (typeof after === 'number') return { file: index, errno: after };
  const rates = typeof before === 'string' ? ratesOf(file, before, after, elapsedNs) : [];
  return { file: index, text: after, rates };
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

import type { PressureLine } from '@nodecore/pressure-policy';

/** What the sampled stand-in of a trigger needs of the world; tests give their own. */
export type SamplingSource = {
  readonly read: () => Promise<PressureLine>;
  /** CLOCK_MONOTONIC. */
  readonly nowNs: () => bigint;
  readonly sleep: (ms: number) => Promise<void>;
};

export type Sample = { readonly atNs: bigint; readonly line: PressureLine };

/** The kernel looks ten times per window itself. */
const looksPerWindow = 10;

/**
 * Does by looking what a trigger does by itself: an event when the stall of a window's length passed the threshold, at
 * most one per window. A stall that falls between two looks is seen by the second; time is what passed, not what was
 * planned.
 */
export async function* sampledEvents(
  source: SamplingSource,
  condition: { readonly stallUs: number; readonly windowUs: number },
): AsyncGenerator<Sample, never, undefined> {
  const { stallUs, windowUs } = condition;
  const windowNs = BigInt(windowUs) * 1000n;
  const samples: Sample[] = [];
  let silentUntilNs = 0n;
  while (true) {
    const sample = { atNs: source.nowNs(), line: await source.read() };
    samples.push(sample);
    // The last sample before the window is its beginning.
    while (samples.length > 2 && (samples[1]?.atNs ?? 0n) <= sample.atNs - windowNs) samples.shift();
    if (sample.atNs >= silentUntilNs && growthWithin(samples, sample, windowNs) >= stallUs) {
      silentUntilNs = sample.atNs + windowNs;
      yield sample;
    }
    await source.sleep(windowUs / 1000 / looksPerWindow);
  }
}

/** Stall in the window that ends with `last`. Of what lies between two looks, the window's share of the time counts. */
function growthWithin(samples: readonly Sample[], last: Sample, windowNs: bigint): number {
  const [first, second = last] = samples;
  if (first === undefined) return 0;
  const growth = (from: Sample, to: Sample): number => Number(to.line.totalUs - from.line.totalUs);
  const begin = last.atNs - windowNs;
  if (first.atNs >= begin || second === first) return growth(first, last);
  const share = Number(second.atNs - begin) / Number(second.atNs - first.atNs);
  return growth(second, last) + growth(first, second) * Math.min(1, Math.max(0, share));
}

import type { EmptinessReceipt } from '@nodecore/block';

/** What a volume's disk was given to it on, kept with its record. Offsets and sizes are bytes; no device reaches 2^53. */
export type KeptProof = {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly tookMs: number;
  readonly limitMs: number;
  readonly size: number;
  readonly read: readonly { readonly purpose: string; readonly ranges: number; readonly bytes: number }[];
  readonly probedAt: readonly number[];
  readonly backupsOf: readonly string[];
  /** Whether all that the map of a backing file names was read; else why there is none. */
  readonly map: string;
  /** What was on it, and was erased before by the wish of its document. */
  readonly erased?: string;
};

export function keptProof(receipt: EmptinessReceipt, erased: string | undefined): KeptProof {
  const { at, tookMs, limitMs, size, read, probedAt, backupsOf, map } = receipt;
  return {
    at,
    tookMs,
    limitMs,
    size: Number(size),
    read: read.map(({ purpose, ranges }) => ({
      purpose,
      ranges: ranges.length,
      bytes: Number(ranges.reduce((sum, range) => sum + range.size, 0n)),
    })),
    probedAt: probedAt.map(Number),
    backupsOf,
    map: typeof map === 'string' ? map : map.unknown,
    ...(erased === undefined ? {} : { erased }),
  };
}

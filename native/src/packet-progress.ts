import { systemCallError, type NativeError } from './errors.ts';
import type { AddonProgress, AddonRingCounters } from './packet-addon.ts';

/** Since the ring was opened: `packets` passed the filter, `drops` of them found no room. */
export type PacketRingCounters = AddonRingCounters & {
  /** Packets that went to the reader, or are whole in the files. */
  readonly taken: bigint;
  /** Packets that left the ring and could not be written. */
  readonly lost: bigint;
  /** ENETDOWN: the interface went down or away, and nothing more comes from it. */
  readonly gone?: NativeError;
};

export type PacketProgress = {
  /** In the order of the rings. */
  readonly rings: readonly PacketRingCounters[];
  /** Why it has ended: as told, at a limit, or because of `failure`; undefined while it goes on. */
  readonly end?: 'stopped' | 'enough' | 'failed';
  /** The sockets are gone, and promiscuous mode with them: some 20 ms after the end. */
  readonly closed: boolean;
  /** ENETDOWN: the interface of `failedRing`, the last one, went down or away. ENOSPC and others: the file could not be written. */
  readonly failure?: NativeError;
  readonly failedRing?: number;
};

const ends = [undefined, 'stopped', 'enough', 'failed'] as const;

/** Gives a capture's failures as errors to report; a `failure` without `failedRing` is one of the capture file. */
export function toProgress(progress: AddonProgress): PacketProgress {
  const { rings, taken, lost, gone, closed, failure, failedRing } = progress;
  const end = ends[progress.end];
  return {
    rings: rings.map((counters, index) => {
      const why = gone[index];
      return {
        ...counters,
        taken: taken[index] ?? 0n,
        lost: lost[index] ?? 0n,
        ...(why !== undefined && { gone: systemCallError(why, 'the interface') }),
      };
    }),
    closed,
    ...(end === undefined ? {} : { end }),
    ...(failure === undefined
      ? {}
      : {
          failure: systemCallError(failure, failedRing === undefined ? 'the capture file' : 'the interface'),
        }),
    ...(failedRing === undefined ? {} : { failedRing }),
  };
}

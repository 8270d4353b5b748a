import { type Clock, systemClock } from '@nodecore/waiting';

import type { Courtesy } from './courtesy.ts';
import { eligibility, type SkipReason } from './eligibility.ts';
import { TrimError, type TrimErrorCode } from './errors.ts';
import type { MountPoint } from './mount-point.ts';
import { type Layout, Progression } from './progression.ts';

export type TrimProgress = {
  readonly state: 'trimming' | 'paused';
  /** How far the trim has come, of `totalBytes`. */
  readonly doneBytes: bigint;
  readonly totalBytes: bigint;
  readonly ranges: number;
  /** As the filesystem counts: ext4 what it discarded, xfs what it looked at. */
  readonly trimmedBytes: bigint;
  /** Of the range that took longest. */
  readonly longestRangeMs: number;
  /** Time spent holding back because of I/O pressure, so far. */
  readonly pausedMs: number;
};

export type TrimReport = Omit<TrimProgress, 'state'> & { readonly durationMs: number };

export type TrimOptions = {
  /** Held back by I/O pressure; not at all unless given. One for all trims of a process. */
  readonly courtesy?: Courtesy;
  /** Called after each range and when a pause begins or ends. What it throws ends the trim. */
  readonly onProgress?: (progress: TrimProgress) => void;
  readonly clock?: Clock;
  /** Ends the trim after the range that runs: about a second at most. */
  readonly signal?: AbortSignal;
};

/** The part of a {@link MountPoint} that a trim needs. */
export type Discarding = Pick<MountPoint, 'discard' | 'layout'>;

/**
 * Discards what a mounted filesystem does not use, range by range. Needs CAP_SYS_ADMIN.
 *
 * The mount point is verified before every range and is not kept busy between them, so it can be unmounted in the middle; the
 * trim then ends with `ERR_TRIM_NOT_MOUNTED`. What was discarded stays discarded, whatever ends the trim.
 *
 * btrfs discards whole chunks (of up to 1 GiB as a rule), and with the first range all the space that belongs to none.
 *
 * @param mounted as `MountPoint.find` gave it.
 * @throws {TrimError}; the signal's reason after an abort.
 */
export async function trim(mounted: MountPoint, options: TrimOptions = {}): Promise<TrimReport> {
  const { target, live } = mounted;
  const verdict = eligibility(live);
  if (!verdict.eligible) throw new TrimError(refusals[verdict.reason], target, verdict.message);
  return await trimRanges(mounted, options);
}

const refusals: Readonly<Record<SkipReason, TrimErrorCode>> = {
  'not-mounted': 'ERR_TRIM_NOT_MOUNTED',
  'read-only': 'ERR_TRIM_READ_ONLY',
  filesystem: 'ERR_TRIM_UNSUPPORTED',
  encryption: 'ERR_TRIM_UNSUPPORTED',
  device: 'ERR_TRIM_UNSUPPORTED',
};

/** {@link trim} of what is known to take it. */
export async function trimRanges(discarding: Discarding, options: TrimOptions = {}): Promise<TrimReport> {
  const { courtesy, onProgress, clock = systemClock, signal } = options;
  const startedMs = clock.now();
  signal?.throwIfAborted();
  const layout = await discarding.layout();
  const progression = new Progression(layout);
  const course = new Course(layout, clock, onProgress);
  for (let step = progression.next(); step !== undefined; step = progression.next()) {
    signal?.throwIfAborted();
    const { range, doneBytes } = step;
    const one = async (): Promise<bigint | undefined> => {
      const beganMs = clock.now();
      const trimmed = await discarding.discard(range);
      const tookMs = Math.max(0, clock.now() - beganMs);
      progression.took(tookMs);
      if (trimmed !== undefined) course.range(doneBytes, trimmed, tookMs);
      return trimmed;
    };
    const trimmed = await (courtesy?.run(one, (paused) => course.pause(paused), signal) ?? one());
    if (trimmed === undefined) break;
  }
  return { ...course.end(), durationMs: Math.max(0, clock.now() - startedMs) };
}

/** Adds up what the ranges came to. */
class Course {
  readonly #totalBytes: bigint;
  readonly #clock: Clock;
  readonly #tell: (progress: TrimProgress) => void;
  #doneBytes = 0n;
  #trimmedBytes = 0n;
  #ranges = 0;
  #longestRangeMs = 0;
  #pausedMs = 0;
  #pausedSince: number | undefined;

  constructor({ totalBytes }: Layout, clock: Clock, tell: TrimOptions['onProgress']) {
    this.#totalBytes = totalBytes;
    this.#clock = clock;
    this.#tell = tell ?? ((): void => {});
  }

  range(doneBytes: bigint, trimmedBytes: bigint, tookMs: number): void {
    this.#ranges += 1;
    this.#doneBytes = doneBytes;
    this.#trimmedBytes += trimmedBytes;
    this.#longestRangeMs = Math.max(this.#longestRangeMs, tookMs);
    this.#tell({ state: 'trimming', ...this.#sums() });
  }

  pause(paused: boolean): void {
    const now = this.#clock.now();
    if (this.#pausedSince !== undefined) this.#pausedMs += Math.max(0, now - this.#pausedSince);
    this.#pausedSince = paused ? now : undefined;
    this.#tell({ state: paused ? 'paused' : 'trimming', ...this.#sums() });
  }

  end(): Omit<TrimReport, 'durationMs'> {
    this.#doneBytes = this.#totalBytes; // the filesystem may end before its device
    return this.#sums();
  }

  #sums(): Omit<TrimProgress, 'state'> {
    return {
      doneBytes: this.#doneBytes,
      totalBytes: this.#totalBytes,
      ranges: this.#ranges,
      trimmedBytes: this.#trimmedBytes,
      longestRangeMs: this.#longestRangeMs,
      pausedMs: this.#pausedMs,
    };
  }
}

import { readDuration } from './duration.ts';
import { type Place } from './place.ts';
import { type ScrubSettings } from './types.ts';

/** How often filesystems are checked where checks are wanted and nobody said how often: once a week. */
const defaultIntervalMs = 168 * 3_600_000;

/** Below this a check would be followed by the next. */
const shortestMs = 10_000;

/**
 * How often the filesystem of a volume is checked, in milliseconds; undefined: never. The volume's own words win. Without a
 * `FilesystemScrubConfig` only volumes that ask for checks are checked.
 *
 * @param globalMs interval of the `FilesystemScrubConfig`.
 */
export function scrubIntervalMs(
  volume: ScrubSettings | undefined,
  globalMs: number | undefined,
): number | undefined {
  const { enabled, intervalMs } = volume ?? {};
  if (enabled === false) return undefined;
  return intervalMs ?? globalMs ?? (enabled === true ? defaultIntervalMs : undefined);
}

/** Reads the `scrub` block of a volume. @param filesystem what the volume is formatted with; undefined where somebody else has done it. */
export function readScrub(volume: Place, filesystem?: string): ScrubSettings | undefined {
  const block = volume.get('scrub');
  if (block === undefined) return undefined;
  const enabled = block.get('enabled')?.boolean();
  if (filesystem !== undefined && filesystem !== 'xfs' && enabled !== false)
    block.problem('scrub.xfs_only', 'only xfs is checked while it is in use');
  const interval = block.get('interval');
  const intervalMs = readDuration(interval);
  if (interval !== undefined && intervalMs !== undefined && intervalMs < shortestMs)
    interval.problem('scrub.interval_short', 'at least 10s; to turn checks off say enabled: false');
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(intervalMs === undefined ? {} : { intervalMs }),
  };
}

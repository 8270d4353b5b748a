import { type ScrubSettings } from './types.ts';

/** How often filesystems are checked where checks are wanted and nobody said how often: once a week. */
const defaultIntervalMs = 168 * 3_600_000;

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

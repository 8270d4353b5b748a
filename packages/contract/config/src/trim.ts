import { type Place } from './place.ts';
import { type FilesystemTrim, type TrimSettings } from './types.ts';

/** How often volumes are trimmed where trims are wanted and nobody said how often: once a week. */
export const defaultTrimIntervalMs: number = 168 * 3_600_000;

/**
 * How often a volume is trimmed, in milliseconds; undefined: never. The volume's own words win. Without a
 * `FilesystemTrimConfig` only volumes that ask for trims are trimmed.
 */
export function trimIntervalMs(
  volume: TrimSettings | undefined,
  global: FilesystemTrim | undefined,
): number | undefined {
  const { enabled, intervalMs } = volume ?? {};
  if (enabled === false) return undefined;
  if (intervalMs !== undefined) return intervalMs;
  if (global?.intervalMs !== undefined && global.intervalMs > 0) return global.intervalMs;
  return enabled === true ? defaultTrimIntervalMs : undefined;
}

/** What a `FilesystemTrimConfig` says. Its presence asks for trims; an interval of 0 takes that back. */
export function filesystemTrimOf(
  root: Place,
  value: { readonly interval?: number } | undefined,
): FilesystemTrim | undefined {
  if (value === undefined) return undefined;
  if (value.interval === undefined)
    root.warning('trim.interval_missing', 'no interval: volumes are trimmed once a week; 0s turns trims off');
  return { intervalMs: value.interval ?? defaultTrimIntervalMs };
}

import { type Place } from './place.ts';
import { readDuration } from './duration.ts';
import { type FilesystemTrim, type TrimSettings } from './types.ts';

const hourMs = 3_600_000;

/** How often volumes are trimmed where trims are wanted and nobody said how often: once a week. */
export const defaultTrimIntervalMs: number = 168 * hourMs;

/** Below this a trim would be followed by the next. */
const shortestMs = 10_000;

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

/** Reads a `FilesystemTrimConfig`. Its presence asks for trims; an interval of 0 takes that back. */
export function readFilesystemTrim(root: Place): FilesystemTrim {
  const field = root.get('interval');
  if (field === undefined)
    root.warning('trim.interval_missing', 'no interval: volumes are trimmed once a week; 0s turns trims off');
  return { intervalMs: field === undefined ? defaultTrimIntervalMs : (readInterval(field) ?? 0) };
}

/** Reads the `trim` block of a volume. */
export function readTrim(volume: Place): TrimSettings | undefined {
  const block = volume.get('trim');
  if (block === undefined) return undefined;
  const enabled = block.get('enabled')?.boolean();
  const interval = block.get('interval');
  const intervalMs = readInterval(interval);
  if (intervalMs === 0)
    interval?.warning(
      'trim.interval_zero',
      '0 is no interval of its own; to turn trims off say enabled: false',
    );
  const encryption = volume.get('encryption');
  const isClosed = encryption !== undefined && encryption.get('allowDiscards')?.boolean() !== true;
  if (isClosed && enabled !== false)
    block.warning(
      'trim.no_discards',
      'encryption without allowDiscards passes on no trims: they are skipped',
    );
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(intervalMs === undefined || intervalMs === 0 ? {} : { intervalMs }),
  };
}

function readInterval(field: Place | undefined): number | undefined {
  const intervalMs = readDuration(field);
  if (field === undefined || intervalMs === undefined) return undefined;
  if (intervalMs > 0 && intervalMs < shortestMs)
    field.problem('trim.interval_short', 'must be 0 or at least 10 seconds');
  else if (intervalMs > 0 && intervalMs < hourMs)
    field.warning('trim.interval_short', 'trims this often wear out a disk rather than help it');
  return intervalMs;
}

import { made } from '../../field/made.ts';
import { object } from '../../field/object.ts';
import { boolean } from '../../field/scalars.ts';
import { optional } from '../../field/type.ts';
import { type Place } from '../../place.ts';
import { period } from '../../type/period.ts';
import { type ScrubSettings } from '../../types.ts';

/** Below this a check would be followed by the next. */
const shortestMs = 10_000;

const interval = period(
  shortestMs,
  'scrub.interval_short',
  'at least 10s; to turn checks off say enabled: false',
);

const block = object({
  enabled: optional('false: this volume is never checked by itself', boolean),
  interval: optional('how often, such as 168h; 10 seconds at least', interval),
});

/** The `scrub` block of a volume. */
export const scrubField = optional(
  'whether and how often the filesystem is checked while it is in use; xfs alone',
  made(block, ({ enabled, interval: intervalMs }): ScrubSettings => ({
    ...(enabled === undefined ? {} : { enabled }),
    ...(intervalMs === undefined ? {} : { intervalMs }),
  })),
);

/** Reports checks of a filesystem that is not checked while it is in use. */
export function checkScrubbed(volume: Place, filesystem: string): void {
  const block = volume.get('scrub');
  if (filesystem !== 'xfs' && block?.get('enabled')?.boolean() !== false)
    block?.problem('scrub.xfs_only', 'only xfs is checked while it is in use');
}

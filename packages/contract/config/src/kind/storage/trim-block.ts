import { made } from '../../field/made.ts';
import { Mistake } from '../../field/mistake.ts';
import { object } from '../../field/object.ts';
import { boolean } from '../../field/scalars.ts';
import { optional, type Type } from '../../field/type.ts';
import { type Place } from '../../place.ts';
import { milliseconds } from '../../type/period.ts';
import { type TrimSettings } from '../../types.ts';

/** Below this a trim would be followed by the next. */
const shortestMs = 10_000;
const hourMs = 3_600_000;

const interval: Type<number> = made(milliseconds, (ms, at) => {
  if (ms > 0 && ms < shortestMs)
    return new Mistake('trim.interval_short', 'must be 0 or at least 10 seconds');
  if (ms > 0 && ms < hourMs)
    at.warning('trim.interval_short', 'trims this often wear out a disk rather than help it');
  return ms;
});

/** The interval of trims, where a document has one. */
export const trimInterval = optional('how often, such as 168h; 10 seconds at least', interval);

const block = object({
  enabled: optional('false: this volume is never trimmed by itself', boolean),
  interval: trimInterval,
});

/** The `trim` block of a volume. */
export const trimField = optional(
  'whether and how often unused blocks are told to the disk',
  made(block, ({ enabled, interval: intervalMs }, at): TrimSettings => {
    if (intervalMs === 0)
      at.at('interval').warning(
        'trim.interval_zero',
        '0 is no interval of its own; to turn trims off say enabled: false',
      );
    return {
      ...(enabled === undefined ? {} : { enabled }),
      ...(intervalMs === undefined || intervalMs === 0 ? {} : { intervalMs }),
    };
  }),
);

/** Warns of trims that an encryption stops. */
export function warnNoDiscards(volume: Place): void {
  const encryption = volume.get('encryption');
  const block = volume.get('trim');
  const isClosed = encryption !== undefined && encryption.get('allowDiscards')?.boolean() !== true;
  if (isClosed && block?.get('enabled')?.boolean() !== false)
    block?.warning(
      'trim.no_discards',
      'encryption without allowDiscards passes on no trims: they are skipped',
    );
}

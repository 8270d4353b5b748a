import { codeOf } from '@nodecore/sys';

import { setClock } from '../ffi.ts';
import { imageBuilt } from '../image/os-release.ts';
import type { Log } from '../log.ts';

export type ClockFloorParts = {
  readonly log: Log;
  /** os-release of the image, which says when it was made. */
  readonly osRelease: string;
  readonly nowMs?: () => number;
  /** @returns whether the kernel took it. */
  readonly set?: (ms: number) => boolean;
};

/**
 * Sets the clock to the day of the image when it is before that: a machine whose battery is empty begins in 1970, shows certificates that
 * nobody takes, and may have nobody to ask for the time. A clock that is ahead is left alone: nothing here knows better.
 */
export async function raiseClock({
  log,
  osRelease,
  nowMs = Date.now,
  set = setClock,
}: ClockFloorParts): Promise<void> {
  try {
    const floorMs = (await imageBuilt(osRelease))?.getTime();
    const said = nowMs();
    if (floorMs === undefined || said >= floorMs) return;
    const facts = { said: new Date(said).toISOString(), set: new Date(floorMs).toISOString() };
    if (set(floorMs)) log.warn(facts, 'the clock was before the day of the image, and is set to that');
    else log.error(facts, 'the clock is before the day of the image, and can not be set');
  } catch (error) {
    log.warn({ code: codeOf(error), err: error }, 'nothing says when the image was made: the clock stays');
  }
}

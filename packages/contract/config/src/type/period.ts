import { durationMistake, durationPattern, parseDuration } from '../duration.ts';
import { made } from '../field/made.ts';
import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** A duration in nanoseconds, which is always a text: 0, or with a unit. */
export const nanoseconds: Type<bigint> = parsed('a duration', {
  json: { pattern: durationPattern },
  parse: (text) => {
    const nanos = parseDuration(text);
    return typeof nanos === 'bigint' ? nanos : durationMistake(nanos);
  },
});

/** The same in milliseconds. */
export const milliseconds: Type<number> = made(nanoseconds, (nanos) => Number(nanos / 1_000_000n));

/** The same, and not shorter than something takes; `code` and `message` say so. */
export function period(leastMs: number, code: string, message: string): Type<number> {
  return made(milliseconds, (ms) => (ms < leastMs ? new Mistake(code, message) : ms));
}

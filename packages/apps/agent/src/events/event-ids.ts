import { randomBytes } from 'node:crypto';

const pattern = /^[0-9a-f]{20}$/u;
const timeDigits = 12;
const countDigits = 4;
const largestCount = 0xff_ff;

/**
 * Ids that grow: 12 digits of the time in milliseconds, 4 that count within one, 4 of the run, all hexadecimal. A clock that is set
 * back does not make them smaller.
 */
export class EventIds {
  readonly #run = randomBytes(2).toString('hex');
  #timeMs = 0;
  #count = 0;

  /** @param nowMs the clock, in milliseconds since the Unix epoch. */
  next(nowMs: number): string {
    const timeMs = Math.max(Math.trunc(nowMs), this.#timeMs, 0);
    const isSame = timeMs === this.#timeMs && this.#count < largestCount;
    this.#count = isSame ? this.#count + 1 : 0;
    this.#timeMs = !isSame && timeMs === this.#timeMs ? timeMs + 1 : timeMs;
    return `${hexadecimal(this.#timeMs, timeDigits)}${hexadecimal(this.#count, countDigits)}${this.#run}`;
  }

  /** From now on ids are larger than this one. */
  behind(id: string): void {
    if (!isEventId(id)) return;
    this.#timeMs = Math.max(this.#timeMs, Number.parseInt(id.slice(0, timeDigits), 16) + 1);
  }
}

/** Whether the text can be the id of an event. */
export function isEventId(text: string): boolean {
  return pattern.test(text);
}

function hexadecimal(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0').slice(-digits);
}

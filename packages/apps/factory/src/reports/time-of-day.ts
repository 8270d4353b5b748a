const dayMs = 86_400_000;

/** A time of day in UTC, in milliseconds since midnight; undefined for what is none as `07:00`. */
export function readTimeOfDay(text: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match === null ? undefined : (Number(match[1]) * 60 + Number(match[2])) * 60_000;
}

/** How long it is until that time of day, and more than nothing. */
export function msUntil(timeOfDayMs: number, nowMs: number): number {
  const passed = (((nowMs - timeOfDayMs) % dayMs) + dayMs) % dayMs;
  return dayMs - passed;
}

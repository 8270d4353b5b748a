import type { Budget } from './budget.ts';
import { Failure } from './failure.ts';
import { type Overload, overload } from './language.ts';
import { type Duration, Timestamp, type Value, textOf } from './values.ts';

/** Reading a named zone takes as long as 2000 ordinary steps. */
const namedZoneSteps = 2000;
const dayMs = 86_400_000;

type Clock = (time: Date) => number;

/** What a clock on the wall shows; the time is shifted so that its UTC is what is shown. */
const shown: Readonly<Record<string, Clock>> = {
  getDate: (time) => time.getUTCDate(),
  getDayOfMonth: (time) => time.getUTCDate() - 1,
  getDayOfWeek: (time) => time.getUTCDay(),
  getDayOfYear: (time) => Math.floor((time.getTime() - yearStart(time)) / dayMs),
  getFullYear: (time) => time.getUTCFullYear(),
  getHours: (time) => time.getUTCHours(),
  getMilliseconds: (time) => time.getUTCMilliseconds(),
  getMinutes: (time) => time.getUTCMinutes(),
  getMonth: (time) => time.getUTCMonth(),
  getSeconds: (time) => time.getUTCSeconds(),
};

const spans: Readonly<Record<string, (nanoseconds: bigint) => bigint>> = {
  getHours: (span) => span / 3_600_000_000_000n,
  getMinutes: (span) => span / 60_000_000_000n,
  getSeconds: (span) => span / 1_000_000_000n,
  getMilliseconds: (span) => (span / 1_000_000n) % 1000n,
};

/** Parts of timestamps, in UTC or in a zone, and of durations. */
export const timeFunctions = (): readonly Overload[] => [
  ...Object.entries(shown).flatMap(([name, read]) => [
    overload(`timestamp.${name}(): int`, ([time]) => BigInt(read(dateOf(time)))),
    overload(
      `timestamp.${name}(string): int`,
      ([time, zone], budget) => BigInt(read(inZone(dateOf(time), textOf(zone), budget))),
      refuseZone,
    ),
  ]),
  ...Object.entries(spans).map(([name, read]) =>
    overload(`duration.${name}(): int`, ([span]) => read((span as Duration).nanoseconds)),
  ),
];

function dateOf(value: Value | undefined): Date {
  const { nanoseconds } = value as Timestamp;
  const milliseconds = nanoseconds / 1_000_000n;
  return new Date(
    Number(nanoseconds < 0n && nanoseconds % 1_000_000n !== 0n ? milliseconds - 1n : milliseconds),
  );
}

function yearStart(time: Date): number {
  return new Date(time).setUTCMonth(0, 1) - (time.getTime() % dayMs);
}

function inZone(time: Date, zone: string, budget: Budget): Date {
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/u.exec(zone) ?? [];
  if (hours !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return new Date(time.getTime() + (sign === '-' ? -offset : offset));
  }
  budget.spend(namedZoneSteps);
  const formatter = formatterOf(zone);
  if (formatter === undefined) throw new Failure(unknownZone(zone));
  const parts = new Map(formatter.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const wall = Date.UTC(2000, part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  const date = new Date(wall + time.getUTCMilliseconds());
  date.setUTCFullYear(part('year'));
  return date;
}

function refuseZone(zone: Value): string | undefined {
  const isOffset = typeof zone === 'string' && /^[+-]?\d\d:\d\d$/u.test(zone);
  if (isOffset || (typeof zone === 'string' && formatterOf(zone) !== undefined)) return undefined;
  return unknownZone(textOf(zone));
}

function unknownZone(zone: string): string {
  return `there is no time zone ${zone.slice(0, 64)}`;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined; // a RangeError of the language: it knows no zone of this name
  }
}

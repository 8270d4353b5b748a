import { Failure } from './failure.ts';
import { Duration, Timestamp } from './values.ts';

const second = 1_000_000_000n;

const moment =
  /^(?<date>\d{4}-\d\d-\d\d)[Tt](?<time>\d\d:\d\d:\d\d)(?:\.(?<fraction>\d{1,9}))?(?<zone>[Zz]|[+-]\d\d:\d\d)$/u;

/** RFC 3339, or seconds since 1970. */
export function parseTimestamp(value: string | bigint): Timestamp {
  if (typeof value === 'bigint') return new Timestamp(value * second);
  const { date, time, fraction = '', zone } = moment.exec(value)?.groups ?? {};
  const milliseconds = Date.parse(`${date}T${time}${zone?.toUpperCase()}`);
  // JavaScript reads 30 February as 2 March.
  const isDay = date !== undefined && !Number.isNaN(milliseconds) && isOnCalendar(date);
  if (!isDay) throw new Failure('the text is no timestamp like 2006-01-02T15:04:05Z');
  return new Timestamp(BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0')));
}

function isOnCalendar(date: string): boolean {
  const milliseconds = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(date);
}

/** RFC 3339 in UTC, the fraction without zeros at its end; of nanoseconds since 1970, negative before it. */
export function formatTimestamp(nanoseconds: bigint): string {
  const fraction = ((nanoseconds % second) + second) % second;
  const whole = new Date(Number((nanoseconds - fraction) / 1_000_000n)).toISOString().slice(0, 19);
  return `${whole}${fractionText(fraction)}Z`;
}

const units: Readonly<Record<string, bigint>> = {
  h: 3600n * second,
  m: 60n * second,
  s: second,
  ms: 1_000_000n,
  us: 1000n,
  µs: 1000n,
  ns: 1n,
};
const longest = 100;

/** `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): Duration {
  const [, sign = '', body = ''] =
    /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:h|ms|m|us|µs|ns|s))+|0)$/u.exec(text.slice(0, longest + 1)) ?? [];
  if (body === '' || text.length > longest) throw new Failure('the text is no duration like 1h30m or 1.5s');
  let nanoseconds = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(/(\d*)\.?(\d*)([a-zµ]+)/gu)) {
    const size = units[unit] ?? 0n;
    nanoseconds +=
      BigInt(whole || '0') * size + (BigInt(fraction || '0') * size) / 10n ** BigInt(fraction.length);
  }
  return new Duration(sign === '-' ? -nanoseconds : nanoseconds);
}

/** In seconds: `90s`, `-0.5s`. */
export function formatDuration(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  return `${nanoseconds < 0n ? '-' : ''}${size / second}${fractionText(size % second)}s`;
}

function fractionText(nanoseconds: bigint): string {
  const digits = String(nanoseconds).padStart(9, '0').replace(/0+$/u, '');
  return digits === '' ? '' : `.${digits}`;
}

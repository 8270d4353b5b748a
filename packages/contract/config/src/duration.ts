import { Mistake } from './field/mistake.ts';

/** Go's largest duration, in nanoseconds: 292 years. */
const longest = (1n << 63n) - 1n;
const longestText = 64;

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n, // micro sign
  μs: 1_000n, // Greek letter
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const one = String.raw`(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)`;

/** What a duration looks like, as a regular expression for editors; our own rule says what is wrong with one. */
export const durationPattern: string = `^\\+?(?:0|(?:${one})+)$`;

const form = new RegExp(`^(?:${one})+$`, 'u');

/** A duration in Go's form, `168h0m0s` or `1h30m`: nanoseconds, exactly; what is below one is cut off. */
export function parseDuration(text: string): bigint | 'invalid' | 'negative' | 'too_long' {
  if (text.length > longestText) return 'invalid';
  const [, count, only] = /^(\d{1,6})(ns|us|ms|s|m|h)$/u.exec(text) ?? [];
  if (count !== undefined && only !== undefined) return BigInt(count) * (units[only] ?? 0n);
  const [, sign, amount = ''] = /^([+-]?)(.*)$/u.exec(text) ?? [];
  const parts = [...amount.matchAll(/(\d*)(?:\.(\d*))?([a-zµμ]+)/gu)];
  const isDuration = amount === '0' || form.test(amount);
  if (!isDuration) return 'invalid';
  let nanos = 0n;
  for (const [, digits = '', fraction = '', unit = ''] of parts) {
    const scale = units[unit] ?? 0n;
    nanos +=
      BigInt(digits || '0') * scale + (BigInt(fraction || '0') * scale) / 10n ** BigInt(fraction.length);
  }
  if (nanos > longest) return 'too_long';
  return sign === '-' && nanos > 0n ? 'negative' : nanos;
}

const messages = {
  invalid: 'must be a duration, such as 168h or 1h30m',
  negative: 'must not be negative',
  too_long: 'is longer than 292 years',
} as const;

/** Why a text is no duration. */
export function durationMistake(why: keyof typeof messages): Mistake {
  return new Mistake(`duration.${why}`, messages[why]);
}

import { print, sortedEntries } from './print.ts';
import { Value } from './value.ts';

/** What a format can't do with a value. */
export class FormatError extends Error {}

const verb = /%([-+0 ]*)(\d*)(?:\.(\d*))?([^\d\s]|$)/g;
/** Wider cells are a mistake, or an attack. */
const widest = 1000;

type Spec = {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
};

/**
 * The `printf` of templates: %v %s %q %d %f %g %e %x %X %t %%, with the flags `-`, `+`, `0` and blank, width and
 * precision. A format applies to every element of a list or a map.
 *
 * @throws {FormatError}
 */
export function format(template: string, args: readonly unknown[]): string {
  let next = 0;
  const text = template.replaceAll(
    verb,
    (whole, flags: string, width: string, precision: string | undefined, letter: string) => {
      if (letter === '%') return '%';
      if (letter === '') throw new FormatError(`the format ends in ${JSON.stringify(whole)}`);
      if (next >= args.length) throw new FormatError(`no value for ${whole}`);
      const spec = {
        flags,
        width: bounded(width),
        precision: precision === undefined ? undefined : bounded(precision),
        letter,
      };
      next += 1;
      return formatValue(spec, args[next - 1]);
    },
  );
  if (next < args.length)
    throw new FormatError(`${args.length} values for ${next} places in ${JSON.stringify(template)}`);
  return text;
}

function bounded(digits: string): number {
  const value = digits === '' ? 0 : Number(digits);
  if (value > widest) throw new FormatError(`${digits} is wider than ${widest}`);
  return value;
}

function formatValue(spec: Spec, value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((element) => formatValue(spec, element)).join(' ')}]`;
  if (value instanceof Map) {
    const pairs = sortedEntries(value).map(([key, element]) => `${key}:${formatValue(spec, element)}`);
    return `map[${pairs.join(' ')}]`;
  }
  return pad(spec, plain(spec, value));
}

function plain({ letter, precision, flags }: Spec, value: unknown): string {
  switch (letter) {
    case 'v':
      return print(value);
    case 's':
      return precision === undefined ? print(value) : Array.from(print(value)).slice(0, precision).join('');
    case 'q':
      return JSON.stringify(print(value));
    case 't':
      if (typeof value !== 'boolean') throw new FormatError(`%t of ${print(value)}`);
      return String(value);
    case 'd':
    case 'x':
    case 'X':
      return signed(integer(letter, value), letter, flags);
    case 'f':
    case 'F':
    case 'e':
    case 'g':
      return float(letter, precision, flags, value);
    default:
      throw new FormatError(`no verb is called %${letter}`);
  }
}

function integer(letter: string, value: unknown): bigint | string {
  if (value instanceof Value)
    return value.kind === 'number' && value.decimals === 0 ? value.digits : value.text();
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (typeof value === 'bigint') return value;
  throw new FormatError(`%${letter} of ${print(value)}`);
}

function signed(value: bigint | string, letter: string, flags: string): string {
  if (typeof value === 'string') return value;
  const text = value.toString(letter === 'd' ? 10 : 16);
  const plus = flags.includes('+') && value >= 0n ? '+' : '';
  return plus + (letter === 'X' ? text.toUpperCase() : text);
}

function float(letter: string, precision: number | undefined, flags: string, value: unknown): string {
  const number = value instanceof Value ? value.number() : typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number') throw new FormatError(`%${letter} of ${print(value)}`);
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'NaN' : print(number);
  const plus = flags.includes('+') && number >= 0 ? '+' : '';
  // toFixed and its kin go to 100.
  const digits = Math.min(precision ?? 6, 100);
  if (letter === 'g')
    return plus + (precision === undefined ? String(number) : number.toPrecision(Math.max(1, digits)));
  return plus + (letter === 'e' ? number.toExponential(digits) : number.toFixed(digits));
}

function pad({ flags, width, letter }: Spec, text: string): string {
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  const zeros = flags.includes('0') && /[dfFegxX]/.test(letter) && /^[-+]?\d/.test(text);
  if (!zeros) return ' '.repeat(missing) + text;
  const sign = /^[-+]/.exec(text)?.[0] ?? '';
  return sign + '0'.repeat(missing) + text.slice(sign.length);
}

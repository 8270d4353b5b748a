import { Failure } from './failure.ts';
import { type Overload, overload } from './language.ts';
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp } from './time-text.ts';
import { nameOf, typeOf } from './types.ts';
import { Uint } from './uint.ts';
import { type Duration, int, type Timestamp, TypeName, type Value, textOf } from './values.ts';

const second = 1_000_000_000n;
/** Longer texts are no number of any type. */
const longestNumber = 400;

/** A function of one argument whose type the signature names. */
function convert(signature: string, run: (value: never) => Value): Overload {
  return overload(signature, ([value], budget) => {
    if (typeof value === 'string' || value instanceof Uint8Array) budget.spendOn(value.length);
    return run(value as never);
  });
}

/** What a text is read for, or a time is written as, takes as long as some 20 parts. */
const timeSteps = 20;

/** A function that reads a text character by character. */
function read(signature: string, run: (text: string) => Value): Overload {
  return overload(signature, ([value], budget) => {
    budget.spend(timeSteps + textOf(value).length);
    return run(textOf(value));
  });
}

function write(signature: string, run: (value: never) => string): Overload {
  return overload(signature, ([value], budget) => {
    budget.spend(timeSteps);
    return run(value as never);
  });
}

/** Conversions between types, which all have the name of the type. */
export const conversions = (): readonly Overload[] => [
  convert('dyn(dyn): dyn', (value) => value),
  convert('type(dyn): type', (value) => new TypeName(nameOf(typeOf(value)).replace(/<.*/u, ''))),
  convert('bool(bool): bool', (value) => value),
  convert('bool(string): bool', toBool),
  convert('bytes(bytes): bytes', (value) => value),
  convert('bytes(string): bytes', (value: string) => Uint8Array.from(Buffer.from(value))),
  convert('double(double): double', (value) => value),
  convert('double(int): double', (value: bigint) => Number(value)),
  convert('double(uint): double', ({ value }: Uint) => Number(value)),
  read('double(string): double', toDouble),
  convert('int(int): int', (value) => value),
  convert('int(uint): int', ({ value }: Uint) => int(value)),
  convert('int(double): int', (value: number) => doubleToInt(value)),
  read('int(string): int', (value) => int(toInteger(value))),
  convert('int(timestamp): int', ({ nanoseconds }: Timestamp) => floor(nanoseconds, second)),
  convert('uint(uint): uint', (value) => value),
  convert('uint(int): uint', (value: bigint) => toUint(value)),
  convert('uint(double): uint', (value: number) => toUint(truncate(value, 'uint'))),
  read('uint(string): uint', (value) => toUint(toInteger(value))),
  convert('string(string): string', (value) => value),
  convert('string(bool): string', String),
  convert('string(int): string', String),
  convert('string(uint): string', ({ value }: Uint) => String(value)),
  convert('string(double): string', doubleText),
  convert('string(bytes): string', toText),
  write('string(timestamp): string', ({ nanoseconds }: Timestamp) => formatTimestamp(nanoseconds)),
  write('string(duration): string', ({ nanoseconds }: Duration) => formatDuration(nanoseconds)),
  convert('timestamp(timestamp): timestamp', (value) => value),
  read('timestamp(string): timestamp', parseTimestamp),
  convert('timestamp(int): timestamp', (value: bigint) => parseTimestamp(value)),
  convert('duration(duration): duration', (value) => value),
  read('duration(string): duration', parseDuration),
];

function toBool(value: string): boolean {
  if (['1', 't', 'true', 'TRUE', 'True'].includes(value)) return true;
  if (['0', 'f', 'false', 'FALSE', 'False'].includes(value)) return false;
  throw new Failure('can not convert the text to bool');
}

function toDouble(text: string): number {
  const isDecimal = text.length <= longestNumber && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/u.test(text);
  if (isDecimal) return Number(text);
  const [, sign = '', word = ''] = /^([+-]?)(inf|infinity|nan)$/iu.exec(text) ?? [];
  if (word === '') throw new Failure('can not convert the text to double');
  if (word.toLowerCase() === 'nan') return Number.NaN;
  return sign === '-' ? -Infinity : Infinity;
}

function toInteger(text: string): bigint {
  if (text.length > longestNumber || !/^[+-]?\d+$/u.test(text))
    throw new Failure('can not convert the text to a number');
  return BigInt(text.replace('+', ''));
}

/** The largest and the smallest `int` are no doubles: what is next to them is refused, so that nothing is rounded to them. */
function doubleToInt(value: number): bigint {
  if (Math.abs(value) >= 2 ** 63) throw new Failure('integer overflow');
  return truncate(value, 'int');
}

function truncate(value: number, type: string): bigint {
  if (!Number.isFinite(value)) throw new Failure(`can not convert ${doubleText(value)} to ${type}`);
  return BigInt(Math.trunc(value));
}

function toUint(value: bigint): Uint {
  if (value < 0n) throw new Failure(`can not convert ${value} to uint`);
  return new Uint(value);
}

function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

function toText(value: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    throw new Failure('the bytes are not valid UTF-8');
  }
}

function floor(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient;
}

import { Failure } from './failure.ts';
import type { CelMap } from './map.ts';
import type { Uint } from './uint.ts';

/**
 * A value in an expression: `int` is a bigint, `double` a number; types that JavaScript lacks are below and in `map.ts`.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | TypeName
  | CelMap<Value>
  | Message
  | Optional
  | readonly Value[];

/** -2^63: an `int` has 64 bits. As nanoseconds also the limit of a duration. */
export const minInt: bigint = -(1n << 63n);
/** 2^63 - 1; nanoseconds of a duration have the same limit. */
export const maxInt: bigint = (1n << 63n) - 1n;

/** @throws {Failure} when the value has more than 64 bits. */
export function int(value: bigint): bigint {
  if (value < minInt || value > maxInt) throw new Failure('integer overflow');
  return value;
}

/** 0001-01-01 and 9999-12-31T23:59:59.999999999 in nanoseconds since 1970. */
const firstMoment = -62_135_596_800n * 1_000_000_000n;
const lastMoment = 253_402_300_800n * 1_000_000_000n - 1n;

/** A moment of the years 1 to 9999. */
export class Timestamp {
  /** Since 1970. */
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    if (nanoseconds < firstMoment || nanoseconds > lastMoment) throw new Failure('timestamp out of range');
    this.nanoseconds = nanoseconds;
  }
}

/** A span of time of up to 292 years. */
export class Duration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    if (nanoseconds < minInt || nanoseconds > maxInt) throw new Failure('duration out of range');
    this.nanoseconds = nanoseconds;
  }
}

/** The name of a type, as a value: what `type(1)` gives. */
export class TypeName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value, or none. */
export class Optional {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** A message with declared fields; each is read at every access. */
export class Message {
  readonly type: string;
  readonly #read: (field: string) => Value | undefined;

  constructor(type: string, read: (field: string) => Value | undefined) {
    this.type = type;
    this.#read = read;
  }

  get(field: string): Value | undefined {
    return this.#read(field);
  }
}

/** Only a list is an array; `bytes` is a `Uint8Array`, which is none. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Of an argument whose declared type is `string`. */
export function textOf(value: Value | undefined): string {
  if (typeof value === 'string') return value;
  throw new Failure('an argument is no string');
}

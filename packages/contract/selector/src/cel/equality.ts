import type { Budget } from './budget.ts';
import { Failure } from './failure.ts';
import { CelMap } from './map.ts';
import { Uint } from './uint.ts';
import { Duration, isList, Optional, Timestamp, TypeName, type Value } from './values.ts';

/** Whether two values are equal. Numbers of any type are compared by what they are; other types are never equal. */
export function equal(left: Value, right: Value, budget: Budget): boolean {
  budget.spend(1);
  if (typeof left === 'string') {
    if (typeof right !== 'string' || left.length !== right.length) return false;
    budget.spendOn(left.length);
    return left === right;
  }
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) return a <= b && !(a < b); // of a bigint and a number `===` is never true
  if (left === null || typeof left !== 'object' || right === null || typeof right !== 'object')
    return left === right;
  if (left instanceof Uint8Array)
    return right instanceof Uint8Array && compareBytes(left, right, budget) === 0;
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanoseconds === right.nanoseconds;
  if (left instanceof Duration) return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  if (left instanceof TypeName) return right instanceof TypeName && left.name === right.name;
  if (left instanceof CelMap) return right instanceof CelMap && equalMaps(left, right, budget);
  if (left instanceof Optional) return right instanceof Optional && equalOptionals(left, right, budget);
  if (!isList(left) || !isList(right)) return left === right;
  return (
    left.length === right.length &&
    left.every((element, index) => equal(element, right[index] ?? null, budget))
  );
}

function equalMaps(left: CelMap<Value>, right: CelMap<Value>, budget: Budget): boolean {
  if (left.size !== right.size) return false;
  for (const [key, value] of left.entries()) {
    if (typeof key === 'string') budget.spendOn(key.length);
    const other = right.get(key);
    if (other === undefined || !equal(value, other, budget)) return false;
  }
  return true;
}

function equalOptionals({ value: left }: Optional, { value: right }: Optional, budget: Budget): boolean {
  if (left === undefined || right === undefined) return left === right;
  return equal(left, right, budget);
}

/** Negative, 0 or positive as the first comes before, with or after the other; NaN when neither can be said. */
export function compare(left: Value, right: Value, budget: Budget): number {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) return compareNumbers(a, b);
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right, budget);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(left, right, budget);
  const isTime =
    (left instanceof Timestamp && right instanceof Timestamp) ||
    (left instanceof Duration && right instanceof Duration);
  if (isTime)
    return Number(left.nanoseconds > right.nanoseconds) - Number(left.nanoseconds < right.nanoseconds);
  throw new Failure('no such operator for values of these types');
}

/** A whole number meets a double as the double that is nearest to it, as in other implementations. */
function compareNumbers(left: bigint | number, right: bigint | number): number {
  const isMixed = typeof left !== typeof right;
  const [a, b] = isMixed ? [Number(left), Number(right)] : [left, right];
  return a < b ? -1 : a > b ? 1 : a <= b ? 0 : Number.NaN;
}

/** By code points: JavaScript's order of UTF-16 is another one where surrogates are. */
function compareTexts(left: string, right: string, budget: Budget): number {
  budget.spendOn(left.length + right.length);
  if (/[\uD800-\uDFFF]/.test(left) || /[\uD800-\uDFFF]/.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : Number(left > right);
}

function compareBytes(left: Uint8Array, right: Uint8Array, budget: Budget): number {
  budget.spendOn(Math.min(left.length, right.length));
  return Buffer.compare(left, right);
}

/** What of bigints and numbers JavaScript compares exactly. */
function numberOf(value: Value): bigint | number | undefined {
  if (value instanceof Uint) return value.value;
  return typeof value === 'bigint' || typeof value === 'number' ? value : undefined;
}

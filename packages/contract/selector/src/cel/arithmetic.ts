import type { Budget } from './budget.ts';
import { Failure } from './failure.ts';
import { Uint } from './uint.ts';
import { Duration, int, isList, Timestamp, type Value } from './values.ts';

export type Arithmetic = '+' | '-' | '*' | '/' | '%';

const doubles: Readonly<Partial<Record<Arithmetic, (left: number, right: number) => number>>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

/**
 * Computes. Standard CEL refuses `uint * int`, so that `disk.size > 120 * GB` would be an error about a missing `u`. Here
 * both are numbers: the result is exact, unsigned, and an error when it does not fit.
 */
export function compute(operator: Arithmetic, left: Value, right: Value, budget: Budget): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') return int(integers(operator, left, right));
  if (left instanceof Uint || right instanceof Uint) {
    const [a, b] = [bigintOf(left), bigintOf(right)];
    if (a !== undefined && b !== undefined) return new Uint(integers(operator, a, b));
  }
  if (typeof left === 'number' && typeof right === 'number') {
    const apply = doubles[operator];
    if (apply !== undefined) return apply(left, right);
  }
  const sum = operator === '+' ? concatenate(left, right, budget) : undefined;
  const value = sum ?? times(operator, left, right);
  if (value === undefined) throw new Failure(`no such operator ${operator} for values of these types`);
  return value;
}

function integers(operator: Arithmetic, left: bigint, right: bigint): bigint {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (right === 0n) throw new Failure(operator === '/' ? 'division by zero' : 'modulus by zero');
  return operator === '/' ? left / right : left % right;
}

function concatenate(left: Value, right: Value, budget: Budget): Value | undefined {
  if (typeof left === 'string' && typeof right === 'string') {
    budget.spendOn(left.length + right.length);
    return left + right;
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    budget.spendOn(left.length + right.length);
    return Uint8Array.from(Buffer.concat([left, right]));
  }
  if (!isList(left) || !isList(right)) return undefined;
  budget.spend(left.length + right.length);
  return [...left, ...right];
}

function times(operator: Arithmetic, left: Value, right: Value): Value | undefined {
  if (operator !== '+' && operator !== '-') return undefined;
  const sign = operator === '+' ? 1n : -1n;
  if (right instanceof Duration) {
    const by = sign * right.nanoseconds;
    if (left instanceof Timestamp) return new Timestamp(left.nanoseconds + by);
    return left instanceof Duration ? new Duration(left.nanoseconds + by) : undefined;
  }
  if (!(right instanceof Timestamp)) return undefined;
  if (left instanceof Duration && operator === '+')
    return new Timestamp(left.nanoseconds + right.nanoseconds);
  const isSpan = left instanceof Timestamp && operator === '-';
  return isSpan ? new Duration(left.nanoseconds - right.nanoseconds) : undefined;
}

function bigintOf(value: Value): bigint | undefined {
  if (value instanceof Uint) return value.value;
  return typeof value === 'bigint' ? value : undefined;
}

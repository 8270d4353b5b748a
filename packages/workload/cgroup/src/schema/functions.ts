import { print } from './print.ts';
import { format, FormatError } from './printf.ts';
import { Value } from './value.ts';

/** A function got what it can't work with; the evaluator adds the place. */
export class CallError extends Error {}

type Call = (args: readonly unknown[]) => unknown;

/** `and` and `or` stop early: the evaluator's own. */
export const lazyFunctions: ReadonlySet<string> = new Set(['and', 'or']);

const calls: Readonly<Record<string, Call>> = {
  printf: (args) => {
    const [template, ...values] = args;
    if (typeof template !== 'string') throw new CallError('printf wants a format');
    try {
      return format(template, values);
    } catch (error) {
      throw error instanceof FormatError ? new CallError(error.message) : error;
    }
  },
  // A blank between two operands when neither is text.
  print: (args) =>
    args
      .map((arg, at) => (at > 0 && !isText(arg) && !isText(args[at - 1]) ? ` ${print(arg)}` : print(arg)))
      .join(''),
  println: (args) => `${args.map(print).join(' ')}\n`,
  len: ([value]) => {
    if (typeof value === 'string') return Buffer.byteLength(value);
    if (Array.isArray(value)) return value.length;
    if (value instanceof Map) return value.size;
    throw new CallError(`len of ${print(value)}`);
  },
  index: ([value, ...keys]) => keys.reduce((found, key) => element(found, key), value),
  slice: ([value, from, to]) => {
    if (!Array.isArray(value) && typeof value !== 'string') throw new CallError(`slice of ${print(value)}`);
    const first = position(from ?? 0, value.length);
    return value.slice(first, Math.max(first, position(to ?? value.length, value.length)));
  },
  not: ([value]) => !truth(value),
  // True when the first is like one of the others.
  eq: ([first, ...others]) => others.some((other) => compare('eq', first, other) === 0),
  ne: ([a, b]) => compare('ne', a, b) !== 0,
  lt: ([a, b]) => compare('lt', a, b) < 0,
  le: ([a, b]) => compare('le', a, b) <= 0,
  gt: ([a, b]) => compare('gt', a, b) > 0,
  ge: ([a, b]) => compare('ge', a, b) >= 0,
};

/** Names that the parser takes as functions: those that {@link call} knows, and the lazy ones. */
export const functionNames: ReadonlySet<string> = new Set([...Object.keys(calls), ...lazyFunctions]);

const fewest: Readonly<Record<string, number>> = {
  printf: 1,
  print: 0,
  println: 0,
  len: 1,
  index: 1,
  slice: 1,
  not: 1,
};

/** @throws {CallError} */
export function call(name: string, args: readonly unknown[]): unknown {
  const least = fewest[name] ?? 2;
  if (args.length < least)
    throw new CallError(`${name} wants ${least} or more values, and got ${args.length}`);
  return calls[name]?.(args);
}

/** False are false, 0, nothing, and empty text, lists and maps. A number of a file is true, whatever it is. */
export function truth(value: unknown): boolean {
  if (value instanceof Value) return true;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  return value !== undefined && value !== '' && value !== 0 && value !== false && !Number.isNaN(value);
}

/** An element of a map or a list. What a map doesn't have is unset, and so is all that is taken from it. */
export function element(container: unknown, key: unknown): unknown {
  if (container instanceof Value && container.kind === 'unset') return Value.unset;
  if (container instanceof Map) return container.has(key) ? container.get(key) : Value.unset;
  if (!Array.isArray(container)) throw new CallError(`nothing can be taken from ${print(container)}`);
  if (typeof key !== 'number') throw new CallError(`a list has no element ${print(key)}`);
  if (key < 0 || key >= container.length)
    throw new CallError(`a list of ${container.length} has no element ${key}`);
  return container[key];
}

function position(value: unknown, length: number): number {
  if (typeof value !== 'number' || value < 0 || value > length)
    throw new CallError(`${print(value)} is not within 0 to ${length}`);
  return value;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function compare(name: string, a: unknown, b: unknown): number {
  const left = comparable(a);
  const right = comparable(b);
  if (typeof left !== typeof right || left === undefined || right === undefined) {
    throw new CallError(`${name} of ${print(a)} and ${print(b)}`);
  }
  if (left === right) return 0;
  // NaN, which is what an unset number is, is like nothing.
  return left < right ? -1 : left > right ? 1 : Number.NaN;
}

function comparable(value: unknown): number | string | undefined {
  if (value instanceof Value) return value.number();
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}

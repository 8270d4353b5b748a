import { StateError } from './state-error.ts';
import type { Json } from './resource.ts';

/** Deeper specs are refused: reading them back could overflow the stack. */
const maxDepth = 100;

/**
 * A frozen copy of a spec, without fields that are undefined, so that what its writer does with the original afterwards
 * changes nothing.
 *
 * @throws {StateError} `ERR_STATE_INVALID` for what JSON can't hold: NaN, infinities, functions, objects with a class.
 */
export function copySpec(spec: unknown, subject: string): Json {
  return copy(spec, subject, 0);
}

function copy(value: unknown, subject: string, depth: number): Json {
  if (depth > maxDepth) throw invalid(subject, `a spec deeper than ${maxDepth} levels`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw invalid(subject, `${value} in a spec`);
      return value;
    case 'object':
      if (value === null) return value;
      if (Array.isArray(value)) return Object.freeze(value.map((item) => copy(item, subject, depth + 1)));
      return copyFields(value, subject, depth);
    case 'function':
    case 'symbol':
    case 'undefined':
    default:
      throw invalid(subject, `${typeof value} in a spec`);
  }
}

function copyFields(value: object, subject: string, depth: number): Json {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw invalid(subject, 'an object with a class in a spec');
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  // Not by assignment: a field called __proto__ is one like others.
  return Object.freeze(
    Object.fromEntries(fields.map(([name, field]) => [name, copy(field, subject, depth + 1)])),
  );
}

function invalid(subject: string, what: string): StateError {
  return new StateError('ERR_STATE_INVALID', subject, what);
}

import { Failure } from './failure.ts';
import { CelMap } from './map.ts';
import { nameOf, typeOf } from './types.ts';
import { Uint } from './uint.ts';
import { isList, Message, Optional, type Value } from './values.ts';

/** `operand.field`; with `.?` a value that is not there is none. */
export function access(operand: Value, field: string, optional: boolean): Value {
  if (operand instanceof Optional) return within(operand, (value) => find(value, field));
  const value = find(operand, field);
  if (optional) return new Optional(value);
  if (value === undefined) throw new Failure(`no such key: ${field}`);
  return value;
}

/** `operand[index]`; with `[?` a value that is not there is none. */
export function element(operand: Value, index: Value, optional: boolean): Value {
  if (operand instanceof Optional) return within(operand, (value) => at(value, index));
  const value = at(operand, index);
  if (optional) return new Optional(value);
  if (value !== undefined) return value;
  const message = isList(operand) ? `index out of bounds; the list has ${operand.length}` : 'no such key';
  throw new Failure(message);
}

/** `has(operand.field)`. A field of a thing with its zero value counts as not set, as protobuf has it. */
export function isSet(operand: Value, field: string): boolean {
  const value = find(operand instanceof Optional ? (operand.value ?? null) : operand, field);
  return value !== undefined && !(operand instanceof Message && isZero(value));
}

function within({ value }: Optional, read: (value: Value) => Value | undefined): Optional {
  return new Optional(value === undefined ? undefined : read(value));
}

function find(operand: Value, field: string): Value | undefined {
  if (operand instanceof Message || operand instanceof CelMap) return operand.get(field);
  throw new Failure(`${nameOf(typeOf(operand))} has no fields`);
}

function at(operand: Value, index: Value): Value | undefined {
  if (operand instanceof CelMap) return operand.get(index);
  if (!isList(operand)) throw new Failure(`${nameOf(typeOf(operand))} has no elements`);
  const place = index instanceof Uint ? index.value : index;
  if (typeof place === 'bigint' || (typeof place === 'number' && Number.isInteger(place)))
    return operand[Number(place)];
  throw new Failure('the index of a list is a whole number');
}

function isZero(value: Value): boolean {
  if (value instanceof Uint) return value.value === 0n;
  return isList(value) ? value.length === 0 : value === '' || value === false || value === 0n;
}

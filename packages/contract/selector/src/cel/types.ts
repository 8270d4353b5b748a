import { CelMap } from './map.ts';
import { Uint } from './uint.ts';
import { Duration, Message, Optional, Timestamp, TypeName, type Value } from './values.ts';

/** The type of an expression as far as it is known before it is evaluated; `dyn` is not known. */
export type Type =
  | { readonly kind: Simple }
  | { readonly kind: 'list'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'optional'; readonly of: Type }
  | { readonly kind: 'message'; readonly name: string };

const simple = [
  'null',
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'timestamp',
  'duration',
  'type',
  'dyn',
] as const;
type Simple = (typeof simple)[number];

/** Known only at evaluation: it fits every type, and every type fits it. */
export const dyn: Type = { kind: 'dyn' };
/** The type that a selector must have, and both operands of `&&` and `||`. */
export const bool: Type = { kind: 'bool' };

const longNames: Readonly<Record<string, string>> = {
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  null: 'null_type',
};

/** `list<string>`; as messages and `type()` call it. */
export function nameOf(type: Type): string {
  if (type.kind === 'list') return `list<${nameOf(type.element)}>`;
  if (type.kind === 'map') return `map<${nameOf(type.key)}, ${nameOf(type.value)}>`;
  if (type.kind === 'optional') return `optional<${nameOf(type.of)}>`;
  return type.kind === 'message' ? type.name : (longNames[type.kind] ?? type.kind);
}

/** The type that a declaration names: `map<int, list<string>>`. A name that is none of CEL's is that of a message. */
export function parseType(text: string): Type {
  const [, outer, inner = ''] = /^(list|map|optional)<(.+)>$/u.exec(text) ?? [];
  if (outer === 'list') return { kind: 'list', element: parseType(inner) };
  if (outer === 'optional') return { kind: 'optional', of: parseType(inner) };
  if (outer === 'map') {
    const [key = '', value = ''] = splitTypes(inner);
    return { kind: 'map', key: parseType(key), value: parseType(value) };
  }
  if (text === 'list') return { kind: 'list', element: dyn };
  if (text === 'map') return { kind: 'map', key: dyn, value: dyn };
  if (text === 'optional') return { kind: 'optional', of: dyn };
  const kind = simple.find((name) => name === text);
  return kind === undefined ? { kind: 'message', name: text } : { kind };
}

/** Cuts a list of types at the commas that are not in angle brackets. */
export function splitTypes(text: string): readonly string[] {
  const parts = text.split(/,\s*(?![^<]*>)/u).map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** Whether a value of the one type may stand where the other is wanted. */
export function fits(given: Type, wanted: Type): boolean {
  if (given.kind === 'dyn' || wanted.kind === 'dyn') return true;
  if (given.kind === 'list' && wanted.kind === 'list') return fits(given.element, wanted.element);
  if (given.kind === 'optional' && wanted.kind === 'optional') return fits(given.of, wanted.of);
  if (given.kind === 'message' && wanted.kind === 'message') return given.name === wanted.name;
  if (given.kind === 'map' && wanted.kind === 'map')
    return fits(given.key, wanted.key) && fits(given.value, wanted.value);
  return given.kind === wanted.kind;
}

/** The type of what may be of either type. */
export function join(left: Type, right: Type): Type {
  if (left.kind === 'list' && right.kind === 'list')
    return { kind: 'list', element: join(left.element, right.element) };
  if (left.kind === 'map' && right.kind === 'map')
    return { kind: 'map', key: join(left.key, right.key), value: join(left.value, right.value) };
  return nameOf(left) === nameOf(right) ? left : dyn;
}

/** The type of a value, as far as it shows: what is in a list is not looked at. */
export function typeOf(value: Value): Type {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'boolean') return bool;
  if (typeof value === 'bigint') return { kind: 'int' };
  if (typeof value === 'number') return { kind: 'double' };
  if (typeof value === 'string') return { kind: 'string' };
  if (value instanceof Uint) return { kind: 'uint' };
  if (value instanceof Uint8Array) return { kind: 'bytes' };
  if (value instanceof Timestamp) return { kind: 'timestamp' };
  if (value instanceof Duration) return { kind: 'duration' };
  if (value instanceof TypeName) return { kind: 'type' };
  if (value instanceof CelMap) return { kind: 'map', key: dyn, value: dyn };
  if (value instanceof Optional) return { kind: 'optional', of: dyn };
  if (value instanceof Message) return { kind: 'message', name: value.type };
  return { kind: 'list', element: dyn };
}

import { isMap, isScalar, Scalar } from 'yaml';

import { type Type } from '../field/type.ts';
import { descriptionOf } from '../kind/kinds.ts';
import { pairOf } from './nodes.ts';

/** What the description of a document says of its fields; undefined for a kind without one. */
export function describedBy(identity: string): Type<unknown> | undefined {
  const { fields } = descriptionOf(identity.split('/')[0] ?? '')?.options ?? {};
  return fields && { fields, json: {}, says: '', read: () => undefined };
}

/** What it says of one of its fields; undefined for one that it does not have. */
export function fieldType(type: Type<unknown> | undefined, name: string): Type<unknown> | undefined {
  const { fields, item } = type ?? {};
  if (fields === undefined) return item;
  return Object.hasOwn(fields, name) ? fields[name]?.type : undefined;
}

/** The value that tells an item apart; what it falls back on where the item leaves it out. */
export function itemKey(item: unknown, by: string, type: Type<unknown> | undefined): Scalar | undefined {
  if (!isMap(item)) return undefined;
  const value = pairOf(item, by)?.value;
  if (value !== undefined) return isScalar(value) ? value : undefined;
  const field = type?.fields?.[by];
  const usual = field?.fallback ?? field?.type.json['default'];
  return usual === undefined ? undefined : new Scalar(usual);
}

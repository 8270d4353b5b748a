import { isMap, isScalar, isSeq } from 'yaml';

import { type Type } from './type.ts';

/** A value of somebody else's API. */
export type Anything =
  | string
  | number
  | boolean
  | null
  | readonly Anything[]
  | { readonly [name: string]: Anything };

/** A mapping that belongs to somebody else's API: kept as it is, and checked by who takes it. */
export const anything: Type<{ readonly [name: string]: Anything }> = {
  json: { type: 'object' },
  says: 'any mapping',
  merge: 'replace',
  read: (at) =>
    at.isMapping() ? (plain(at.node) as { readonly [name: string]: Anything }) : at.wrongType('a mapping'),
};

/** Own code, because numbers, names and prototypes must come through unchanged. */
function plain(node: unknown): Anything {
  if (isSeq(node)) return node.items.map((item) => plain(item));
  if (isMap(node)) {
    return Object.fromEntries(
      node.items.map(({ key, value }) => [isScalar(key) ? String(key.value) : '', plain(value)]),
    );
  }
  return isScalar(node) ? (node.value as Anything) : null;
}

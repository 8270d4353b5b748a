import { isMap, type YAMLMap } from 'yaml';

import { pairOf, plain } from '../patch/nodes.ts';
import { rootIdentity, type SourceDocument } from '../source.ts';
import { type Move } from '../legacy/move.ts';
import { resolve } from '../legacy/resolve.ts';
import { removeAt } from './fields.ts';

/**
 * What a configuration says, whichever form it says it in: of each document its fields, those of the root among them that went to
 * it, and the rest of the root.
 */
export function resolved(
  documents: readonly SourceDocument[],
  all: readonly Move[],
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  const { documents: whole, outcomes } = resolve(documents, () => true, all);
  for (const { identity, map } of whole) {
    if (identity !== rootIdentity) {
      addFields(map, identity, values);
      continue;
    }
    const rest = map.clone() as YAMLMap;
    for (const { present, why } of outcomes)
      if (why === undefined) for (const path of present) removeAt(rest, path);
    addFields(rest, identity, values);
  }
  return values;
}

/** Each field that holds no other, by its path. */
function addFields(map: YAMLMap, before: string, values: Map<string, unknown>): void {
  for (const { key } of map.items) {
    const name = String((key as { readonly value: unknown }).value);
    const value = pairOf(map, name)?.value;
    if ((name === 'apiVersion' || name === 'kind') && !before.includes(' ')) continue;
    const path = before.includes(' ') ? `${before}.${name}` : `${before} ${name}`;
    if (isMap(value) && value.items.length > 0) addFields(value, path, values);
    else values.set(path, plain(value));
  }
}

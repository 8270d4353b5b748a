import { isMap, type YAMLMap } from 'yaml';

import { pairOf, plain } from '../patch/nodes.ts';
import { rootIdentity, type SourceDocument } from '../source.ts';
import { removeAt, valueAt } from './fields.ts';
import { type MovesTo } from './move.ts';

/**
 * What a configuration says, whichever form it says it in: of each document its fields, those of the root among them that went to
 * it, and the rest of the root. A field of a document counts before that of the root.
 */
export function resolved(
  documents: readonly SourceDocument[],
  all: readonly MovesTo[],
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  const put = (path: string, value: unknown): void => {
    if (!values.has(path)) values.set(path, value);
  };
  for (const { identity, map } of documents) if (identity !== rootIdentity) addFields(map, identity, put);
  const root = documents.find(({ identity }) => identity === rootIdentity)?.map.clone() as
    | YAMLMap
    | undefined;
  for (const { kind, moves } of all) {
    for (const move of moves) {
      const value = root && valueAt(root, move.from);
      if (root === undefined || value === undefined) continue;
      removeAt(root, move.from);
      if ('each' in move) {
        for (const map of move.each(value)) addFields(map, `${kind}/${String(map.get('name'))}`, put);
      } else {
        const written = move.as === undefined ? value : move.as(value);
        if (isMap(written)) addFields(written, `${kind} ${move.to}`, put);
        else put(`${kind} ${move.to}`, plain(written));
      }
    }
  }
  if (root !== undefined) addFields(root, rootIdentity, put);
  return values;
}

/** Each field that holds no other, by its path. */
function addFields(map: YAMLMap, before: string, put: (path: string, value: unknown) => void): void {
  for (const { key } of map.items) {
    const name = String((key as { readonly value: unknown }).value);
    const value = pairOf(map, name)?.value;
    if ((name === 'apiVersion' || name === 'kind') && !before.includes(' ')) continue;
    const path = before.includes(' ') ? `${before}.${name}` : `${before} ${name}`;
    if (isMap(value) && value.items.length > 0) addFields(value, path, put);
    else put(path, plain(value));
  }
}

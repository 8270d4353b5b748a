import { isMap, isScalar, type Node, type Pair, type YAMLMap } from 'yaml';

import { pairOf } from '../patch/nodes.ts';

/** The value at a path of fields; undefined where there is none. */
export function valueAt(map: YAMLMap, path: string): Node | undefined {
  let value: unknown = map;
  for (const step of path.split('.')) value = isMap(value) ? pairOf(value, step)?.value : undefined;
  return (value ?? undefined) as Node | undefined;
}

/** Takes a field away, and the mappings around it that have nothing else. @returns the comments in front of what went. */
export function removeAt(map: YAMLMap, path: string): readonly string[] {
  const [step = '', ...rest] = path.split('.');
  const pair = pairOf(map, step);
  if (pair === undefined) return [];
  const own = commentsBefore(map, pair);
  if (rest.length === 0) {
    map.items = map.items.filter((one) => one !== pair);
    return own;
  }
  if (!isMap(pair.value)) return [];
  const below = removeAt(pair.value, rest.join('.'));
  if (pair.value.items.length > 0) return below;
  map.items = map.items.filter((one) => one !== pair);
  return [...own, ...below];
}

/** Those in front of the first field of a mapping are the mapping's own for the parser. */
function commentsBefore(map: YAMLMap, pair: Pair<Node, Node | null>): string[] {
  const { key } = pair;
  const found = [
    ...(map.items[0] === pair && map.commentBefore ? [map.commentBefore] : []),
    ...(isScalar(key) && key.commentBefore ? [key.commentBefore] : []),
  ];
  if (map.items[0] === pair) delete map.commentBefore;
  return found;
}

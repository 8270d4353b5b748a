import { isMap, isScalar, Pair, Scalar, YAMLMap, type Node } from 'yaml';

import { pairOf } from '../patch/nodes.ts';

/** The value at a path of fields; undefined where there is none. */
export function valueAt(map: YAMLMap, path: string): Node | undefined {
  let value: unknown = map;
  for (const step of path.split('.')) value = isMap(value) ? pairOf(value, step)?.value : undefined;
  return (value ?? undefined) as Node | undefined;
}

/** Puts a value at a path of fields; what is on the way is made. */
export function setAt(map: YAMLMap, path: string, value: Node, comment?: string | null): void {
  const [step = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const present = pairOf(map, step)?.value;
    const below = isMap(present) ? present : new YAMLMap();
    if (below !== present) map.items.push(new Pair(new Scalar(step), below));
    setAt(below, rest.join('.'), value, comment);
    return;
  }
  const key = new Scalar(step);
  if (comment !== undefined && comment !== null && comment !== '') key.commentBefore = comment;
  map.items.push(new Pair(key, value));
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
